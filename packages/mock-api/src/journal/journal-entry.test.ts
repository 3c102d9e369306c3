import { expect, test } from 'vitest';
import type { AnswerSummary } from '../api/responses.ts';
import { createInnerMock } from '../mock.ts';
import { send } from '../test-client.fixture.ts';

test('an entry summarizes the response in numbers and IDs [S-70]', () => {
  const mock = createInnerMock({ limit: 5, licenseKeyPrefix: 'CANARY' });
  const { orders } = send(mock, '/orders?status=bezahlt&per_page=3').body.data;
  send(mock, '/me');
  const { data } = send(mock, `/orders/${orders[2].id}`).body;
  for (const path of ['/orders/1', '/orders?page=0', '/me']) send(mock, path);
  for (const key of [mock.keys.private, mock.keys.revoked]) send(mock, '/me', { key });
  send(mock, '/users', { key: mock.keys.otherAccount });
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
});

const list = { orders: 2, total: 120, pages: 60 };
test.each<[fault: string, summary: AnswerSummary | undefined]>([
  ...['html', '{"response":{"body":""}}', 'cutJson', 'resetBefore', 'truncate'].map((fault): [string, undefined] => {
    return [fault, undefined];
  }),
  ...['delay;ms=1', 'drip;ms=0', '{"response":{"headers":{"x-a":"1"}}}'].map((fault): [string, AnswerSummary] => {
    return [fault, list];
  }),
  ['429', { error: 'rateLimited' }],
  ['503', { error: 'server' }],
])('with the fault %s, an entry has the summary %j', (fault, summary) => {
  const mock = createInnerMock();
  send(mock, '/orders?per_page=2', { headers: { 'x-mock-fault': fault } });
  expect(mock.journal.entries()[0]?.answer).toEqual(summary);
});
