// Bundles a program with each bundler, told nothing but that the program runs on Node, and runs the bundle.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { bundleAndRun, bundlers, preparePrograms, removePrograms, startNext } from './bundlers/bundlers.ts';
import { emptyFolder, pack, pinned } from './packages/tarball.ts';

const core = pack('core').path;
let mock: MockServer;
let bare: string;
let withPackages: string;
beforeAll(async () => {
  mock = await listen({ limit: 'off' });
  bare = preparePrograms([core]);
  withPackages = preparePrograms([core, pinned('@redis/client', 'core'), pinned('zod', 'core')]);
});
afterAll(async () => {
  removePrograms();
  await mock?.close();
});

const expected = {
  node: [60, true],
  fetch: [60, true],
  portable: [60, true],
  events: [], // of the store: it found SQLite
  rejects: 'configuration',
};

describe.each(Object.keys(bundlers))('%s', (name) => {
  test('bundles core without its optional packages, and the bundle reads orders', async () => {
    const store = join(emptyFolder(), 'store.sqlite');
    const printed = await bundleAndRun(name, bare, 'main.js', [mock.baseUrl, mock.keys.business, store]);
    expect(JSON.parse(printed)).toEqual(expected);
  });

  test('bundles the Redis client and zod for a program that uses them', async () => {
    const args = [mock.baseUrl, mock.keys.business, 'redis://127.0.0.1:9'];
    const printed = await bundleAndRun(name, withPackages, 'with-packages.js', args);
    expect(JSON.parse(printed)).toEqual({ isSame: true, problems: ['Redis: ECONNREFUSED'] });
  });
});

test('Turbopack builds a Next.js server with core, which reads orders on Node and in the edge runtime', async () => {
  const { url, close } = await startNext(bare);
  try {
    const path = join(emptyFolder(), 'store.sqlite');
    const query = new URLSearchParams({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, path });
    expect(await (await fetch(`${url}/orders?${query}`)).json()).toEqual(expected);
    expect(await (await fetch(`${url}/edge?${query}`)).text()).toBe('60');
  } finally {
    close();
  }
});
