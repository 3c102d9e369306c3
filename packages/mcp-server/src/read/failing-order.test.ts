import { createClient, type Host, type OrderSummary } from '@order-license/core/portable';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { orderAt } from '../testing/moving-service.fixture.ts';

let apis = 0;

/**
 * Connects a client to an API in this process that has these orders, the newest first, and returns status 500 for the
 * details of broken ones. Waits only advance a virtual clock.
 * @param requests the rate limit
 * @param tripMs duration of a request
 */
const connectTo = async (
  list: readonly OrderSummary[],
  isBroken: (order: OrderSummary) => boolean,
  { requests = 10_000, tripMs = 0 } = {},
) => {
  let clock = 0;
  let sent = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  onTestFinished(() => void vi.restoreAllMocks());
  const host: Host = {
    now: () => clock,
    sleep: async (ms) => {
      clock += ms;
    },
    async send({ url, timeoutMs }) {
      sent += 1;
      clock += Math.min(tripMs, timeoutMs);
      const order = list.find(({ id }) => url.endsWith(`/orders/${id}`));
      const status = order && isBroken(order) ? 500 : 200;
      const page = { orders: list, pagination: { page: 1, per_page: 50, pages: 1, total: list.length } };
      const data = order ? { ...order, items: [] } : page;
      const body = { status, ...(status === 200 ? { data } : { error: 'Internal server error' }) };
      return { status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
    },
  };
  const limits = { maxWaitMs: 20_000, deadlineMs: 45_000 };
  const rateLimit = { minGapMs: 0, requests };
  // Clients with the same base URL and key would share their rate limit.
  const baseUrl = `https://broken-${++apis}.example/api/v1`;
  const core = createClient({ host, baseUrl, apiKey: 'key', rateLimit, ...limits });
  const client = await connectInProcess(async () => core);
  return {
    call: (args: object) => callTool(client, 'order_license_get_order', { ...args }),
    now: () => clock,
    sent: () => sent,
  };
};

const ordersOf = (count: number): OrderSummary[] => Array.from({ length: count }, (_, n) => orderAt(count - n));

test.each([60, 5])('a single order that fails takes three requests if the limit is %i per minute', async (requests) => {
  const list = ordersOf(3);
  const { call, sent } = await connectTo(list, () => true, { requests });
  const { text } = await call({ id: String(list[0]?.id) });
  expect(text).toMatch(/^server: /);
  expect(sent()).toBe(3);
});

test('a call ends within 45 seconds even if each response takes 10 seconds', async () => {
  const list = ordersOf(20);
  // With so few requests left, the orders are read one at a time.
  const { call, now } = await connectTo(list, () => true, { requests: 8, tripMs: 10_000 });
  await call({ ids: list.slice(0, 2).map(({ id }) => String(id)) });
  expect(now()).toBeLessThan(46_000);
});
