import type { OrderSummary } from '@order-license/core';
import { type Client, createClient, isOrderLicenseError } from '@order-license/core/portable';
import { profileNames } from '@order-license/mock-api';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import { type SettingCase, settingCases } from '@order-license/testing/setting-cases';
import { expect, test } from 'vitest';
import { rejections } from './rejections.ts';

const statuses = ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const;
let made = 0;

const setUp = (options: Parameters<typeof createInProcessHost>[0]) => {
  const { clock, mock, host } = createInProcessHost(
    { orders: 130, ...options, set: { limit: 'off', ...options?.set } },
    { tripMs: () => 0 },
  );
  const apiKey = mock.keys.business;
  const baseUrl = `http://127.0.0.1:${++made}/api/v1`;
  const client = createClient({
    baseUrl,
    apiKey,
    host: host(apiKey),
    rateLimit: { requests: 100_000, minGapMs: 0 },
  });
  return { clock, mock, client };
};

const walk = async (orders: AsyncIterable<OrderSummary>): Promise<OrderSummary[]> => {
  const all: OrderSummary[] = [];
  for await (const order of orders) all.push(order);
  return all;
};

/** A call's result, or the code of its error. */
const resultOrCode = async <Answer>(work: Promise<Answer>): Promise<Answer | string> => {
  try {
    return await work;
  } catch (error) {
    if (isOrderLicenseError(error)) return error.code;
    throw error;
  }
};

/** One order per page, so a walk reads 130 pages. */
const smallestPage: SettingCase = { points: 'U-02', label: 'perPageMax=1', set: { perPageMax: 1 } };
/** Settings under which the API does not count by status, or doesn't show that it does. */
const uncounted = [
  'totalIgnoresFilter=on',
  'missing=orders[].status',
  'nulls=orders[].status',
  'missing=pagination.total',
  'nulls=pagination.total',
];
const profiles = profileNames.map((profile) => [profile, { profile, set: { ids: 'safe' } }] as const);

/**
 * Walks all orders and those of each status, and compares totals and counts with these walks. An API whose list cannot
 * be read gives the same error everywhere.
 */
const prove = async (label: string, options: Parameters<typeof setUp>[0]) => {
  const { clock, mock, client } = setUp(options);
  const expected = rejections[label] ?? {};
  const all = await clock.run(resultOrCode(walk(client.orders())));
  const totals = await clock.run(resultOrCode(client.totals()));
  const counted = await clock.run(resultOrCode(client.countByStatus()));
  if (expected.list) {
    expect([all, totals, counted]).toEqual([expected.list, expected.list, expected.list]);
    return;
  }
  if (typeof all === 'string') throw new Error(`the walk ended with ${all}`);
  const ids = new Set(all.map(({ id }) => id));
  expect(ids.size).toBe(all.length);
  if (mock.settings().tieBreak !== 'shuffle') expect(all).toHaveLength(130);

  const filtered = new Map<string, OrderSummary[]>();
  for (const status of statuses) filtered.set(status, await clock.run(walk(client.orders({ status }))));
  if (mock.settings().tieBreak !== 'shuffle' && mock.settings().perPageMax === 50) {
    const union = [...filtered.values()].flat().map(({ id }) => id);
    expect(new Set(union)).toEqual(ids);
    expect(union).toHaveLength(130);
  }

  if (typeof totals === 'string') throw new Error(totals);
  expectTotals(totals, all.length);
  if (typeof counted === 'string') {
    expect(counted).toBe('invalid_response');
    expect(uncounted).toContain(label);
    return;
  }
  for (const [status, count] of Object.entries(counted.counts)) {
    expect([status, count]).toEqual([status, filtered.get(status)?.length]);
  }
};

const expectTotals = ({ orders, groups, unreadable }: Awaited<ReturnType<Client['totals']>>, walked: number): void => {
  expect(orders).toBe(walked);
  expect(unreadable).toHaveLength(groups.reduce((sum, group) => sum + group.unreadable, 0));
};

test.each([...settingCases, smallestPage])(
  'walks read every order once, and totals and counts agree or fail as expected: $label [$points]',
  async ({ label, set }) => {
    await prove(label, { set });
  },
);

test.each(profiles)('walks read every order once from an API that is %s [U-01 to U-63]', async (label, options) => {
  await prove(label, options);
});
