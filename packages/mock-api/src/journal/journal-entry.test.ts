import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import { listen } from '../server/listen.ts';
import { ask } from '../test-client.fixture.ts';

test('an entry summarizes the response in numbers and IDs [S-70]', async () => {
  const mock = await listen({ limit: 5, licenseKeyPrefix: 'CANARY' });
  const { orders } = (await ask(mock, '/orders?status=bezahlt&per_page=3')).body.data;
  await ask(mock, '/me');
  const { data } = (await ask(mock, `/orders/${orders[2].id}`)).body;
  await ask(mock, '/orders/1');
  await ask(mock, '/orders?page=0');
  await ask(mock, '/me');
  await ask(mock, '/me', { key: mock.keys.private });
  await ask(mock, '/me', { key: mock.keys.revoked });
  await ask(mock, '/users', { key: mock.keys.otherAccount });
  const total = mock.state.orders('business').count('bezahlt');
  const licenseCodes = data.items.flatMap((item: { license_codes: unknown[] }) => item.license_codes).length;
  expect(mock.journal.entries().map(({ operation, status, answer }) => [operation, status, answer])).toEqual([
    ['list', 200, { orders: 3, total, pages: Math.ceil(total / 3) }],
    ['me', 200, {}],
    ['order', 200, { orderId: orders[2].id, licenseCodes }],
    ['order', 404, { error: 'orderNotFound' }],
    ['list', 400, { error: 'badRequest' }],
    ['me', 429, { error: 'rateLimited' }],
    ['me', 403, { error: 'notBusiness' }],
    ['me', 401, { error: 'unauthorized' }],
    [undefined, 404, { error: 'pathNotFound' }],
  ]);
  expect(licenseCodes).toBeGreaterThan(0);
  expect(JSON.stringify(mock.journal.entries())).not.toMatch(/CANARY|Müller/);
  await mock.close();
});

test('an entry has no summary if a fault replaced or truncated the response', async () => {
  const mock = await listen({ limit: 'off' });
  const answerAfter = async (fault: string) => {
    await ask(mock, '/orders?per_page=2', { headers: { 'x-mock-fault': fault } }).catch(() => undefined);
    const [entry] = mock.journal.entries().slice(-1);
    return entry?.answer;
  };
  for (const fault of ['html', '{"response":{"body":""}}', 'cutJson', 'resetBefore', 'truncate']) {
    expect([fault, await answerAfter(fault)]).toEqual([fault, undefined]);
  }
  for (const fault of ['delay;ms=1', 'drip;ms=0', '{"response":{"headers":{"x-a":"1"}}}']) {
    expect([fault, await answerAfter(fault)]).toEqual([fault, { orders: 2, total: 120, pages: 60 }]);
  }
  expect(await answerAfter('429')).toEqual({ error: 'rateLimited' });
  expect(await answerAfter('503')).toEqual({ error: 'server' });
  await mock.close();
});

test('changing the summary of an entry changes only a copy', async () => {
  const mock = createMock();
  await mock.fetch('/api/v1/me');
  for (const { answer } of mock.journal.entries()) delete answer?.error;
  expect(mock.journal.entries()).toMatchObject([{ answer: { error: 'unauthorized' } }]);
});
