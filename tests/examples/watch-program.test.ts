import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ChangeEvent } from '@order-license/core';
import { listen, type MockServer } from '@order-license/mock-api';
import { listenOnLoopback } from '@order-license/testing/loopback';
import { createRandom } from '@order-license/testing/random';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../examples/watch.ts', import.meta.url));
const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;

/** Opens a webhook that verifies each event, and sometimes fails after receiving one. */
const openReceiver = async (random: () => number) => {
  const received: ChangeEvent[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const event = new Webhook(secret).verify(body, request.headers as Record<string, string>) as ChangeEvent;
    received.push(event);
    expect(request.headers['webhook-id']).toBe(event.eventId);
    response.statusCode = random() < 0.1 ? 503 : 204;
    response.end();
  });
  const { port } = await listenOnLoopback(server);
  return { received, url: `http://127.0.0.1:${port}` };
};

const start = (mock: MockServer, url: string, file: string): ChildProcess =>
  spawn(process.execPath, [program], {
    env: {
      ...process.env,
      ORDER_LICENSE_BASE_URL: mock.baseUrl,
      ORDER_LICENSE_API_KEY: mock.keys.business,
      WEBHOOK_URL: url,
      WEBHOOK_SECRET: secret,
      STATE_FILE: file,
      INTERVAL_MS: '100',
    },
    stdio: 'ignore',
  });

const kill = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

test('if killed at any moment, the example program from the docs loses no event and repeats one only with the same eventId', async () => {
  const random = createRandom(5);
  const mock = await listen({ orders: 60, limit: 'off' });
  onTestFinished(() => mock.close());
  const { received, url } = await openReceiver(random);
  const wanted = new Set<string>();
  const folder = temporaryFolder();
  const file = join(folder, 'state.json');
  let child = start(mock, url, file);
  onTestFinished(() => kill(child, 'SIGTERM'));
  const until = async (isDone: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 600 && !isDone(); tries++) await setTimeout(50);
  };
  // When the program polls again, it has saved the baseline.
  await until(() => mock.journal.total() > 8);
  for (let kills = 0; kills < 6; kills++) {
    for (let n = 0; n < 3; n++) {
      const { id } = mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 1 }] });
      for (const name of ['new-order', 'paid']) wanted.add(`${name}:${id}`);
      wanted.add(`license-code:${id}:${id * 64}:${id * 1024}`);
    }
    await setTimeout(100 + random() * 500);
    await kill(child, 'SIGKILL');
    child = start(mock, url, file);
  }
  const ids = () => new Set(received.map(({ eventId }) => eventId));
  await until(() => ids().size >= wanted.size);
  expect([...ids()].sort()).toEqual([...wanted].sort());
  const bodies = new Map<string, string>();
  for (const { eventId, event, order } of received) {
    const about = `${event} ${order.id}`;
    expect(bodies.get(eventId) ?? about).toBe(about);
    bodies.set(eventId, about);
  }
  mock.faults.add({ kind: 'delay', ms: 500, times: 'always' });
  await setTimeout(200);
  await kill(child, 'SIGTERM');
  expect(child.exitCode).toBe(0);
});
