import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPeers } from '../packages/mock-api/bench/peers.ts';
import { type ServerProcess, startServer } from '../packages/mock-api/bench/server-process.ts';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';

const openApi = fileURLToPath(new URL('../packages/mock-api/openapi.yaml', import.meta.url));
let mock: MockServer;
let prism: ServerProcess;

/** Sends a request through Prism's proxy, which reports differences from openapi.yaml in `sl-violations`. */
const ask = async (path: string, key = mock.keys.business) => {
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(prism.origin + path, { headers });
  const body = (await response.json()) as { data: Record<string, unknown> };
  return { status: response.status, violations: response.headers.get('sl-violations'), data: body.data };
};

beforeAll(async () => {
  mock = await listen({ limit: 'off', orders: 130 });
  const headers = { accept: 'application/json', authorization: `Bearer ${mock.keys.business}` };
  prism = await startServer(
    installPeers().prism,
    (port) => ['proxy', openApi, mock.baseUrl, '--port', port, '--host', '127.0.0.1'],
    '/me',
    headers,
  );
});
afterAll(async () => {
  await prism?.stop();
  await mock?.close();
});

test('every response of the strict mock passes Prism without a violation', async () => {
  const answers = [await ask('/me'), await ask('/me', mock.keys.otherAccount)];
  const ids: number[] = [];
  for (const page of [1, 2, 3]) {
    const list = await ask(`/orders?page=${page}&per_page=50`);
    answers.push(list);
    for (const { id } of list.data.orders as { id: number }[]) ids.push(id);
  }
  expect(ids).toHaveLength(130);
  for (const id of ids) answers.push(await ask(`/orders/${id}`));
  for (const status of ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert']) {
    answers.push(await ask(`/orders?status=${status}`));
  }
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ violations }) => violations !== null)).toEqual([]);
});

test('every error response of the mock passes Prism', async () => {
  const rejected: [number, Awaited<ReturnType<typeof ask>>][] = [
    [404, await ask('/orders/999999999')],
    [401, await ask('/me', mock.keys.revoked)],
    [403, await ask('/orders', mock.keys.private)],
  ];
  mock.faults.add({ kind: 'status', status: 500, times: 1 });
  rejected.push([500, await ask('/me')]);
  mock.set({ limit: 1 });
  await ask('/me', mock.keys.otherAccount);
  rejected.push([429, await ask('/me', mock.keys.otherAccount)]);
  mock.set({ limit: 'off' });
  for (const [status, answer] of rejected) expect(answer).toMatchObject({ status, violations: null });
});

test('Prism detects a violation if there is one', async () => {
  mock.set({ money: 'number' });
  expect((await ask('/orders')).violations).toContain('gesamtpreis_brutto');
  mock.setProfile('strict', { limit: 'off' });
});
