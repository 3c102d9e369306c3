import { createInProcessHost } from '@order-license/testing/in-process-host';
import { expect, test } from 'vitest';
import { toMinorUnits } from '../model/money.ts';
import { createClient } from './client.ts';

let made = 0;

const setUp = (set: Record<string, string> = {}, orders = 260) => {
  const { clock, mock, host } = createInProcessHost({ orders, set: { limit: 'off', ...set } });
  const apiKey = mock.keys.business;
  const baseUrl = `https://totals-${++made}.example/api/v1`;
  const client = createClient({ baseUrl, apiKey, host: host(apiKey) });
  return { client, clock, mock };
};

test('totals equal the sums of a walk’s orders [S-20]', async () => {
  const { client, clock } = setUp();
  const orders = await clock.run(client.orders().toArray({ limit: 1_000 }));
  const { groups, complete, requests } = await clock.run(client.totals());
  const sum = (waehrung: string) =>
    orders
      .filter((order) => order.waehrung === waehrung)
      .reduce((units, order) => units + toMinorUnits(order.gesamtpreis_brutto), 0n);
  const found = (waehrung: string) =>
    groups.filter((group) => group.waehrung === waehrung).reduce((units, group) => units + toMinorUnits(group.sum), 0n);
  expect(['EUR', 'USD'].map(found)).toEqual(['EUR', 'USD'].map(sum));
  expect({ complete, requests }).toEqual({ complete: true, requests: 6 });
});

test.each([
  ['ok', true],
  ['iso', true],
  ['zero', false],
  ['null', false],
])('with dates in the form `%s`, the totals of a range have `complete: %s` [U-24]', async (dates, complete) => {
  const { client, clock } = setUp({ dates });
  const result = await clock.run(client.totals({ createdFrom: new Date(0) }));
  expect(result).toMatchObject({ complete, orders: complete ? 260 : 0 });
  expect(result.unreadable).toHaveLength(complete ? 0 : 260);
  expect(await clock.run(client.totals())).toMatchObject({ complete: true, orders: 260 });
});

test.each(['off', 'on'])(
  'status totals are correct with `totalIgnoresFilter` %s [U-11]',
  async (totalIgnoresFilter) => {
    const { client, clock } = setUp({ totalIgnoresFilter });
    const all = await clock.run(client.orders().toArray({ limit: 1_000 }));
    const bezahlt = all.filter(({ status }) => status === 'bezahlt').length;
    // Pages that the API counts, but that have no rows, are a gap.
    const complete = totalIgnoresFilter === 'off';
    expect(await clock.run(client.totals({ status: 'bezahlt' }))).toMatchObject({ orders: bezahlt, complete });
    const counts = await clock.run(client.countByStatus());
    expect(counts.counts.bezahlt).toBe(bezahlt);
    expect(Object.values(counts.counts).reduce((sum, count) => sum + count, 0)).toBe(260);
    expect(counts).toMatchObject(
      totalIgnoresFilter === 'on'
        ? { source: 'walk', complete: true, requests: 5 + 6 }
        : { source: 'total', complete: true, requests: 5 },
    );
  },
);
