import { expect, test } from 'vitest';
import { errorMetaKey, type ResultError } from '../answers/result.ts';
import { callLimits } from '../client/call-limits.ts';
import { connectInProcess } from '../testing/in-process.fixture.ts';
import { callTool } from '../testing/mcp-session.fixture.ts';
import { movingService, orderAt, timeText } from '../testing/moving-service.fixture.ts';

const orders = Array.from({ length: 25_000 }, (_, index) => {
  const place = 25_000 - index;
  return orderAt(place * 60, { bestellnummer: `B-${2 * place}` });
});

test.each([
  [
    'order_license_list_orders',
    12,
    { created_from: timeText(300_000), created_before: timeText(306_000), summary: true },
  ],
  ['order_license_get_order', 16, { order_number: 'B-10001' }], // this order doesn't exist
])(
  'a %s search completes if the client retries it as advised, even if permits return a few at a time [S-84]',
  async (name, requests, args) => {
    const service = movingService({ orders });
    const rateLimit = { requests, minGapMs: 0 };
    const client = await connectInProcess(async (onEvent) => service.openClient(rateLimit, { ...callLimits, onEvent }));
    const readPages = async () => {
      for (let n = 0; n < requests / 2; n++)
        await client.callTool({ name: 'order_license_list_orders', arguments: {} });
    };
    await readPages();
    service.pass(30_000);
    await readPages();

    const outcomes: unknown[] = [];
    for (let tries = 0; tries < 5; tries++) {
      const { _meta = {} } = await client.callTool({ name, arguments: { ...args } });
      const { code, retryAfterMs = 0 } = (_meta[errorMetaKey] ?? { code: 'ok' }) as ResultError;
      outcomes.push(code);
      if (code !== 'rate_limited') break;
      service.pass(retryAfterMs);
    }
    const ends = name === 'order_license_get_order' ? 'not_located' : 'ok';
    expect(outcomes).toEqual(['rate_limited', 'rate_limited', ends]);
  },
);

test('a search that can never finish within the limit says what else to do', async () => {
  const service = movingService({ orders });
  const client = await connectInProcess(async (onEvent) =>
    service.openClient({ requests: 6, minGapMs: 0 }, { ...callLimits, onEvent }),
  );
  const { text } = await callTool(client, 'order_license_list_orders', {
    created_from: timeText(300_000),
    created_before: timeText(306_000),
  });
  expect(text).toMatch(
    /^rate_limited: .* If the call fails again, .* call order_license_list_orders with `page` instead/,
  );
});
