import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { listen } from './server/listen.ts';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../../examples/mock/${name}`, import.meta.url));

const httpFile = readFileSync(pathOf('orders.http'), 'utf8');
const blocks = httpFile.split(/^### /m).slice(1);
const requests = blocks.map((block) => ({ title: block.split('\n')[0] ?? '', block: block.trim() }));
const variables = httpFile.matchAll(/^@(\w+) = (.*)$/gm);
const values = Object.fromEntries(Array.from(variables, ([, name, value]) => [name as string, value as string]));
const filled = (text: string): string => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '');

const mock = await listen({ keys: { business: values.key as string } });
afterAll(() => mock.close());

test.each(requests)('orders.http: $title', async ({ title, block }) => {
  const [, request = '', ...rest] = block.split('\n');
  const [method = '', address = ''] = filled(request).split(' ');
  const end = rest.includes('') ? rest.indexOf('') : rest.length;
  const headers = rest.slice(0, end).map((line) => filled(line).split(': ') as [string, string]);
  const body = rest.slice(end + 1).join('\n');
  const { pathname, search } = new URL(address);
  const response = await fetch(new URL(pathname + search, mock.baseUrl), {
    method,
    headers,
    ...(body === '' ? {} : { body }),
  });
  expect([response.status, await response.text()]).toEqual([
    Number(/^(\d{3}):/.exec(title)?.[1] ?? 200),
    expect.stringMatching(title.includes('4 of 10') ? /"id":10850,.*(license_key.*){4}/ : ''),
  ]);
});

test('orders.http uses the IDs of the samples', () => {
  const ids = blocks.flatMap((block) => /orders\/(\d{2,})/.exec(block)?.[1] ?? []);
  expect(ids.map(Number)).toEqual([mock.samples.partlyDelivered.id, mock.samples.pending.id]);
});

test('the node:test example passes, and runs as an ES module whatever package.json says', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', pathOf('node-test.test.mts')], {
    env: { PATH: process.env.PATH },
  });
  expect(stdout).toMatch(/^ℹ pass 2$/m);
});
