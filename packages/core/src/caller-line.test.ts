import { expect, test } from 'vitest';
import { type Client, createClient, type NodeClientOptions } from './index.ts';
import { startMock } from './serve.fixture.ts';

const setUp = async () => {
  const { mock, service } = await startMock({ limit: 'off' });
  const clientOf = (options: Partial<NodeClientOptions>) =>
    createClient({ ...service, rateLimit: { minGapMs: 0 }, ...options });
  return { clientOf, revoked: mock.keys.revoked };
};

const readAll = async (walk: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of walk);
};

/** Returns the first ten frames of an error's stack trace, as Node prints by default; vitest keeps more. */
const framesOf = async (call: () => Promise<unknown>, code: string): Promise<string | undefined> => {
  const callingProgram = async () => {
    await call();
  };
  const error = await callingProgram().catch((error: Error) => error);
  expect(error).toMatchObject({ code });
  return (error as Error).stack?.split('\n    at ').slice(1, 11).join('\n');
};

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['getMe', ({ getMe }) => getMe()],
  ['listOrders', ({ listOrders }) => listOrders()],
  ['getOrder', ({ getOrder }) => getOrder(1)],
  ['orders', ({ orders }) => readAll(orders())],
  ['orders of a date range', ({ orders }) => readAll(orders({ createdBefore: new Date() }))],
  ['orderPages', ({ orderPages }) => readAll(orderPages({ status: 'bezahlt' }))],
  ['orderDetails', ({ orderDetails }) => readAll(orderDetails())],
  ['findOrder', ({ findOrder }) => findOrder('B-2026-000001')],
  ['orderFinder', ({ orderFinder }) => orderFinder().find('B-2026-000001')],
  ['totals', ({ totals }) => totals({ createdBefore: new Date() })],
  ['countByStatus', ({ countByStatus }) => countByStatus()],
])('the stack trace of an error from %s names the calling function', async (_, call) => {
  const { clientOf, revoked } = await setUp();
  const client = clientOf({ apiKey: revoked });
  expect(await framesOf(() => call(client), 'authentication')).toContain('callingProgram');
});

test('the stack trace of a call that fails in the queue names the calling function', async () => {
  const { clientOf } = await setUp();
  const broken = clientOf({ apiKey: () => Promise.reject(new Error('x')) });
  expect(await framesOf(() => broken.getMe(), 'configuration')).toContain('callingProgram');

  const used = clientOf({ rateLimit: { requests: 1 } });
  await used.getMe();
  expect(await framesOf(() => used.getMe({ maxWaitMs: 0 }), 'rate_limited')).toContain('callingProgram');
});
