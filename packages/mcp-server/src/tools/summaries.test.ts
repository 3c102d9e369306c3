import { type OrderSummary, toMinorUnits } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { connectToService, hourly, orderAt, type ServiceOptions, timeText } from '../testing/moving-service.fixture.ts';
import { rowsOf } from '../testing/rows.fixture.ts';

type Json = Record<string, unknown>;

const masking = { licenseKeys: true, personalData: false };
const year = { created_from: '2026-01-01' };
const every4thCancelled = (n: number) => ({ status: n % 4 === 0 ? 'storniert' : 'bezahlt' });

/** Returns the result of a summary by a server whose API is this service. */
const sumUp = async (options: ServiceOptions, args: object = {}, masked?: typeof masking): Promise<Json> => {
  const { call } = await connectToService(options, masked && { masking: masked });
  const { data, text, isError } = await call('list_orders', { summary: true, ...args });
  expect(isError, text).toBe(false);
  return data;
};

test('a summary adds up orders by currency and by the three status fields, and never mixes currencies [U-21 U-23]', async () => {
  const orders = [
    orderAt(5, { gesamtpreis_brutto: '0.10' }),
    orderAt(4, { gesamtpreis_brutto: '0.20', zahlungsstatus: 'offen', status: 'storniert' }),
    orderAt(3, { gesamtpreis_brutto: '7.00', waehrung: 'USD' }),
    orderAt(2, { gesamtpreis_brutto: 'free' }),
  ];
  expect(await sumUp({ orders })).toEqual({
    count: 4,
    by_status: { bezahlt: 3, storniert: 1 },
    by_currency: [
      {
        ...{ waehrung: 'EUR', count: 3, sum: '0.30' },
        of_which_storniert: { count: 1, sum: '0.20' },
        sum_by_zahlungsstatus: { bezahlt: '0.10', offen: '0.20' },
      },
      { waehrung: 'USD', count: 1, sum: '7.00', sum_by_zahlungsstatus: { bezahlt: '7.00' } },
    ],
    groups: {
      same: { lieferstatus: 'geliefert' },
      columns: ['waehrung', 'status', 'zahlungsstatus', 'count', 'sum'],
      rows: [
        ['EUR', 'bezahlt', 'bezahlt', 2, '0.10'],
        ['EUR', 'storniert', 'offen', 1, '0.20'],
        ['USD', 'bezahlt', 'bezahlt', 1, '7.00'],
      ],
    },
    not_in_sums: { count: 1, orders: [{ id: orders[3]?.id, field: 'gesamtpreis_brutto', value: 'free' }] },
    interval: { created_from: null, created_before: null, zone: 'UTC' },
    complete: true,
    requests: 2,
    requests_left: 999_998,
  });
});

test('a summary counts statuses whose names are properties of Object.prototype', async () => {
  const names = ['__proto__', 'constructor', 'constructor'];
  const orders = names.map((status, n) => orderAt(3 - n, { status, zahlungsstatus: status }));
  const { call } = await connectToService({ orders });
  const counted = `
    "by_status": { "__proto__": 1, "constructor": 2 },
    "by_currency": [{
      "waehrung": "EUR", "count": 3, "sum": "3.00",
      "sum_by_zahlungsstatus": { "__proto__": "1.00", "constructor": "2.00" }
    }],
    "groups": {
      "same": { "waehrung": "EUR", "lieferstatus": "geliefert" },
      "columns": ["status", "zahlungsstatus", "count", "sum"],
      "rows": [["__proto__", "__proto__", 1, "1.00"], ["constructor", "constructor", 2, "2.00"]]
    }`;
  const { text } = await call('list_orders', { summary: true });
  expect(text).toContain(JSON.stringify(JSON.parse(`{${counted}}`)).slice(1, -1));
});

test('the sums of all parts of a summary add up, while orders arrive [S-20]', async () => {
  const orders = Array.from({ length: 3_500 }, (_, n) =>
    orderAt(Math.floor(n / 3), {
      waehrung: n % 7 === 0 ? 'USD' : 'EUR',
      gesamtpreis_brutto: `${n}.${n % 10}${n % 7}`,
      status: n % 5 === 0 ? 'storniert' : 'bezahlt',
    }),
  ).reverse();
  const inRange = orders.slice(50, 2_900);
  const range = { created_from: timeText(200), created_before: timeText(1_150), status: ['storniert', 'bezahlt'] };
  const { callToEnd } = await connectToService({ orders, beforeAnswer: () => orders.unshift(orderAt(2_000)) });
  const parts = await callToEnd('list_orders', { ...range, summary: true });
  expect(parts).toHaveLength(2);
  const sums = parts.flatMap(({ by_currency }) => by_currency as { waehrung: string; sum: string }[]);
  for (const currency of ['EUR', 'USD']) {
    const add = (all: readonly { waehrung: string }[], amountOf: (one: never) => string) =>
      all.reduce((sum, one) => sum + (one.waehrung === currency ? toMinorUnits(amountOf(one as never)) : 0n), 0n);
    expect(add(sums, ({ sum }: { sum: string }) => sum)).toBe(
      add(inRange, ({ gesamtpreis_brutto }: OrderSummary) => gesamtpreis_brutto),
    );
  }
});

test('splits a summary by day for a long period into parts whose sums add up', async () => {
  const orders = Array.from({ length: 2_900 }, (_, n) => orderAt((2_900 - n) * 40_000));
  const { callToEnd } = await connectToService({ orders });
  const parts = await callToEnd('list_orders', { ...year, summary: 'day' });
  expect(parts).toHaveLength(4);
  expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(40_000);
  const days = Map.groupBy(
    parts.flatMap(({ periods }) => rowsOf(periods)),
    ({ period }) => period,
  );
  const counts = [...days.values()].map((rows) => rows.reduce((sum, { count }) => sum + Number(count), 0));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2_900);
  expect(Math.max(...counts)).toBe(3);
});

test.each<[string, typeof masking | undefined, (text: string) => string]>([
  ['', undefined, (text) => text],
  [', also of dates that masking hides', masking, (text) => `${text.replace(' ', 'T')}Z`],
])('a summary by month follows the time zone, and has one row per period and currency%s', async (_, masked, form) => {
  // 1 January 2026, 00:00 UTC is still December in New York.
  const orders = [orderAt(40 * 86_400), orderAt(86_400, { waehrung: 'USD' }), orderAt(43_200), orderAt(3_600)];
  for (const order of orders) order.created_at = form(order.created_at);
  const data = await sumUp({ orders }, { summary: 'month', time_zone: 'America/New_York' }, masked);
  expect(data).toMatchObject({ complete: true, count: 4, interval: { zone: 'America/New_York' } });
  expect(rowsOf(data.periods)).toEqual([
    { period: '2026-02-01', waehrung: 'EUR', count: 1, sum: '1.00' },
    { period: '2026-01-01', waehrung: 'USD', count: 1, sum: '1.00' },
    { period: '2026-01-01', waehrung: 'EUR', count: 1, sum: '1.00' },
    { period: '2025-12-01', waehrung: 'EUR', count: 1, sum: '1.00' },
  ]);
});

test.each([
  ['2026-01-07', ['2026-01-05']],
  ['2026-01-05', undefined],
])('names the weeks that a range from %s covers only partly', async (created_from, partial_periods) => {
  const data = await sumUp({ orders: hourly(480) }, { created_from, created_before: '2026-01-19', summary: 'week' });
  expect(data.partial_periods).toEqual(partial_periods);
});

test('a summary says what is masked in any of its orders', async () => {
  const orders = hourly(450).with(0, orderAt(500 * 3_600, { waehrung: 'Zloty zzgl. MwSt.' }));
  expect(await sumUp({ orders }, year, masking)).toMatchObject({ count: 450, masking: { masked: ['other_fields'] } });
});

test('masked currencies are not added together [U-23]', async () => {
  const orders = [orderAt(2, { waehrung: 'gold' }), orderAt(1, { waehrung: 'silver' }), orderAt(0)];
  const data = await sumUp({ orders }, {}, masking);
  expect(JSON.stringify(data)).not.toMatch(/gold|silver|2\.00/);
  expect(data).toMatchObject({ count: 3, not_in_sums: { count: 2 } });
});

test('adds up thousands of orders that have many undocumented fields, and ignores `page` and `per_page`', async () => {
  const more = { more: Array.from({ length: 80 }, (_, n) => n) };
  const options = { orders: hourly(2_400, () => more as object) };
  const expected = { complete: true, count: 2_400, by_currency: [{ sum: '2400.00' }] };
  expect(await sumUp(options, { ...year, page: 1, per_page: 20 })).toMatchObject(expected);
});

test('returns a summary even if the payment status is different for each of a thousand orders', async () => {
  const orders = hourly(1_200, (n) => ({ zahlungsstatus: `bezahlt per Überweisung, Beleg ${n}` }));
  const data = await sumUp({ orders });
  expect(data).toMatchObject({ complete: true, by_currency: [{ waehrung: 'EUR', count: 1_200, sum: '1200.00' }] });
  expect(rowsOf(data.groups)).toEqual([expect.objectContaining({ status: 'bezahlt', count: 1_200 })]);
});

test('counts a long list by status with five requests, and says how to get sums [U-11]', async () => {
  const { call, requests } = await connectToService({ orders: hourly(2_000, every4thCancelled) });
  const { data } = await call('list_orders', { summary: true });
  expect(requests()).toBe(5);
  expect(data).toMatchObject({
    count: 2_000,
    by_status: { ausstehend: 0, bezahlt: 1_500, abgeschlossen: 0, storniert: 500 },
    complete: true,
    advice: expect.stringMatching(/^The counts include all orders\. Sums are omitted/),
  });
  expect(data).not.toHaveProperty('continue'); // with `continue`, a client would read more parts and count orders twice
  const next = await call('list_orders', data.read_sums_with as object);
  expect(next.data.count).toBeGreaterThan(1_400);
});

test.each<[string | string[], object]>([
  ['bezahlt', { count: 3_000, by_status: { bezahlt: 3_000 } }],
  [['storniert', 'ausstehend'], { count: 1_000, by_status: { ausstehend: 0, storniert: 1_000 } }],
])('in a long list, counts only the status %j', async (status, expected) => {
  const { count, by_status } = await sumUp({ orders: hourly(4_000, every4thCancelled) }, { status });
  expect({ count, by_status }).toEqual(expected);
});

test('counts an order only once if its status changes between two counts, and says why the counts differ', async () => {
  const orders = hourly(2_000, () => ({ status: 'ausstehend' }));
  const beforeAnswer = (request: number) => {
    const [newest] = orders;
    // The status changes after the pending orders are counted, but before the paid orders are counted.
    if (request === 3 && newest) newest.status = 'bezahlt';
  };
  expect(await sumUp({ orders, beforeAnswer })).toMatchObject({
    count: 2_000,
    by_status: { ausstehend: 2_000, bezahlt: 1, abgeschlossen: 0, storniert: 0 },
    advice: expect.stringContaining(
      'The counts in by_status add up to 2001 instead of 2000: each status is counted in a separate request',
    ),
  });
});

test("counts the orders if `total` can't be trusted [U-11]", async () => {
  const distort: ServiceOptions['distort'] = ({ orders, pagination }) => ({
    orders,
    pagination: { ...pagination, total: 3_200 },
  });
  const data = await sumUp({ orders: hourly(3_200), distort });
  expect(data).toMatchObject({ by_currency: [{ count: data.count }], complete: false });
  expect(data.count).toBeGreaterThan(2_000);
});
