import { expect, test, vi } from 'vitest';
import { createInnerMock } from '../mock.ts';
import { send } from '../test-client.fixture.ts';

test('waitFor waits for `count` requests, and counts earlier ones unless `after` excludes them', async () => {
  const mock = createInnerMock();
  send(mock, '/orders?page=1');
  expect(await mock.journal.waitFor({ operation: 'list' })).toMatchObject([{ number: 1 }]);
  const three = mock.journal.waitFor({ operation: 'list' }, { count: 3 });
  const later = mock.journal.waitFor({ operation: 'list', after: mock.journal.total() });
  for (const path of ['/me', '/orders?page=2', '/orders?page=3']) send(mock, path);
  expect((await three).map(({ query }) => query)).toEqual(['page=1', 'page=2', 'page=3']);
  expect(await later).toMatchObject([{ number: 3, path: '/api/v1/orders' }]);
});

test('waitFor lists the recorded requests on timeout', async () => {
  const mock = createInnerMock();
  await expect(mock.journal.waitFor({}, { timeoutMs: 5 })).rejects.toThrow(
    "No request was recorded within 5 ms. The journal has no request: does the client use the mock's baseUrl?",
  );
  send(mock, '/me?x=1');
  send(mock, '/orders');
  const waiting = mock.journal.waitFor({ operation: 'list', page: 1, status: 200 }, { count: 2, timeoutMs: 20 });
  send(mock, '/orders/10954');
  await expect(waiting).rejects.toThrow(
    `1 of 2 requests with operation list, page 1, status 200 were recorded within 20 ms. The journal has these requests:
  200 GET /api/v1/me?x=1  business  S-40: /me has a query
  200 GET /api/v1/orders  business
  200 GET /api/v1/orders/10954  business`,
  );
  for (let n = 0; n < 8; n++) send(mock, '/me');
  await expect(mock.journal.waitFor({ status: 500, after: 3 }, { timeoutMs: 5 })).rejects.toThrow(
    /^No request with status 500 was recorded within 5 ms\. The journal has the last 5 of 8 requests after number \d+:\n/,
  );
});

test('waitFor rejects with the abort reason', async () => {
  const { journal } = createInnerMock();
  const ending = new AbortController();
  const waiting = journal.waitFor({}, { signal: ending.signal });
  ending.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(journal.waitFor({}, { signal: ending.signal })).rejects.toThrow('enough');
});

test('waitFor continues after the journal is cleared, and counts no requests from before', async () => {
  const mock = createInnerMock();
  for (const path of ['/orders', '/me']) send(mock, path);
  const two = mock.journal.waitFor({ operation: 'list' }, { count: 2 });
  const next = mock.journal.waitFor({ operation: 'list', after: 2 });
  mock.reset();
  for (const path of ['/me', '/orders?page=2', '/orders?page=3']) send(mock, path);
  expect((await two).map(({ query }) => query)).toEqual(['page=2', 'page=3']);
  expect(await next).toMatchObject([{ number: 2, operation: 'list' }]);
});

test('waitFor finds an early violation that remains only in the list of violations', async () => {
  const mock = createInnerMock({ journalSize: 1 });
  send(mock, '/me?x=1');
  send(mock, '/me');
  expect(await mock.journal.waitFor({ violations: true })).toMatchObject([{ number: 1 }]);
});

test("a test's fake timers do not stop waitFor", async () => {
  vi.useFakeTimers();
  try {
    await expect(createInnerMock().journal.waitFor({}, { timeoutMs: 5 })).rejects.toThrow(/within 5 ms/);
  } finally {
    vi.useRealTimers();
  }
});

test.each<[options: object, sentence: string]>([
  [{ count: 0 }, 'count must be a whole number from 1'],
  [{ timeoutMs: -1 }, 'timeoutMs must be a whole number from 1'],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be a whole number from 1'],
  [{ timeout: 50 }, 'waitFor has no "timeout"; use one of count, signal, timeoutMs'],
])('waitFor rejects the options %j at once', async (options, sentence) => {
  await expect(createInnerMock().journal.waitFor({}, options)).rejects.toThrow(sentence);
});
