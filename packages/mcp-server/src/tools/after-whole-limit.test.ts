import { expect, test } from 'vitest';
import { errorMetaKey, type ResultError } from '../answers/result.ts';
import { callLimits } from '../client/call-limits.ts';
import { connectToService, orderAt, timeText } from '../testing/moving-service.fixture.ts';

const period = { created_from: timeText(300_000), created_before: timeText(306_000) };

/** Connects to an API with 25,000 orders, one a minute. */
const connectTo = (requests: number) => {
  const orders = Array.from({ length: 25_000 }, (_, n) =>
    orderAt((25_000 - n) * 60, { bestellnummer: `B-${2 * (25_000 - n)}` }),
  );
  return connectToService({ orders }, { rateLimit: { requests, minGapMs: 0 }, ...callLimits });
};

test.each([
  ['list_orders', 12, { ...period, summary: true }, 'ok'],
  ['get_order', 16, { order_number: 'B-10001' }, 'not_located'], // this order doesn't exist
])('retried as advised, a %s search completes, even if permits are late [S-84]', async (tool, requests, args, ends) => {
  const { client, call, pass } = await connectTo(requests);
  for (const ms of [30_000, 0]) {
    for (let n = 0; n < requests / 2; n++) await call('list_orders');
    pass(ms);
  }
  const outcomes: unknown[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const { _meta = {} } = await client.callTool({ name: `order_license_${tool}`, arguments: { ...args } });
    const { code, retryAfterMs = 0 } = (_meta[errorMetaKey] ?? { code: 'ok' }) as ResultError;
    outcomes.push(code);
    if (code !== 'rate_limited') break;
    pass(retryAfterMs);
  }
  expect(outcomes).toEqual(['rate_limited', 'rate_limited', ends]);
});

test('a search that can never finish within the limit says what else to do', async () => {
  const { call } = await connectTo(6);
  expect((await call('list_orders', period)).text).toMatch(
    /^rate_limited: .* If the call fails again, .* call order_license_list_orders with `page` instead/,
  );
});
