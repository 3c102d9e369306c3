import { type OrderSummary, toDate } from '@order-license/core/portable';
import { createMock, type Mock } from '@order-license/mock-api';
import { profileCases, settingCases } from '@order-license/testing/setting-cases';
import { expect, test } from 'vitest';
import { type Assistant, callToEnd, openAssistant, ToolError } from '../questions/assistant.ts';
import { type Json, rowsOf } from '../servers/mcp-rows.ts';

const range = { created_from: '2026-01-10', created_before: '2026-06-15' };
const [from, before] = [Date.UTC(2026, 0, 10), Date.UTC(2026, 5, 15)];
const statuses = ['bezahlt', 'ausstehend', 'storniert'];
/** Orders of the shop: three pages. */
const orders = 120;

/** Reads every order of the list, page by page; returns undefined if a page cannot be read. */
const readPages = async (assistant: Assistant): Promise<OrderSummary[] | undefined> => {
  const all = new Map<unknown, OrderSummary>();
  for (let page = 1; ; page++) {
    const answer = await orError(assistant.call('order_license_list_orders', { page, per_page: 50 }));
    if (answer instanceof ToolError) return undefined;
    for (const order of answer.orders as OrderSummary[]) if (!all.has(order.id)) all.set(order.id, order);
    if (page >= (answer.pagination as { pages: number }).pages) return [...all.values()];
  }
};

const orError = <Value>(work: Promise<Value>): Promise<Value | ToolError> =>
  work.catch((error: unknown) => {
    if (error instanceof ToolError) return error;
    throw error;
  });

const isInRange = ({ created_at }: OrderSummary): boolean => {
  const time = toDate(created_at)?.getTime();
  return time !== undefined && time >= from && time < before;
};
const hasGaps = (parts: readonly Json[]): boolean => parts.some(({ gaps }) => gaps !== undefined);

/**
 * Checks that the totals contain every order, and that a search by date returns each order that the pages show in its
 * range exactly once, or reports gaps.
 */
const prove = async (mock: Mock): Promise<void> => {
  const assistant = await openAssistant(mock);
  const listed = await readPages(assistant);
  const totals = await orError(assistant.call('order_license_list_orders', { summary: true }));
  expect(totals).toMatchObject(listed ? { count: orders } : { code: expect.any(String) });
  for (const filter of [{}, { status: 'bezahlt' }, { status: statuses }]) {
    const parts = await orError(callToEnd(assistant, 'order_license_list_orders', { ...range, ...filter }));
    const sums = await orError(
      callToEnd(assistant, 'order_license_list_orders', { ...range, ...filter, summary: true }),
    );
    if (parts instanceof ToolError || sums instanceof ToolError) {
      if (listed) throw new Error(`The pages can be read, and a search ends with ${String(parts)}, ${String(sums)}`);
      continue;
    }
    if (!listed) throw new Error('The pages cannot be read, and a search can.');
    const ids = parts.flatMap(rowsOf).map(({ id }) => id);
    expect(new Set(ids).size, 'twice').toBe(ids.length);
    const wanted = listed
      .filter(isInRange)
      .filter(({ status }) => !('status' in filter) || [filter.status].flat().includes(status as never))
      .map(({ id }) => id);
    // The API's filter can match orders whose status is spelled differently (U-54).
    const possible = typeof filter.status === 'string' ? listed.filter(isInRange).map(({ id }) => id) : wanted;
    expect(ids.filter((id) => !possible.includes(id as number))).toEqual([]);
    if (!hasGaps(parts)) expect(wanted.filter((id) => !ids.includes(id))).toEqual([]);
    const counted = sums.reduce((count, part) => count + Number(part.count), 0);
    if (!hasGaps(parts) && !hasGaps(sums)) expect(counted).toBe(ids.length);
  }
  await assistant.close();
};

test.each(settingCases)('a search by date is complete, or says why not, under $label [$points]', async ({ set }) => {
  await prove(createMock({ orders, set: { limit: 'off', ...set } }));
});

test.each(profileCases)('a search by date is complete, or says why not, with an API that is $label', async (one) => {
  await prove(createMock({ orders, profile: one.profile, set: { ...one.set, limit: 'off' } }));
});

test('a search in a sorted list whose orders all have dates reports no gaps', async () => {
  const assistant = await openAssistant(createMock({ orders: 250, limit: 'off' }));
  const parts = await callToEnd(assistant, 'order_license_list_orders', range);
  expect(hasGaps(parts)).toBe(false);
  expect(parts.at(-1)).toMatchObject({ complete: true });
  expect(parts.length).toBeGreaterThan(1);
});
