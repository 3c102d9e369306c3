import { toMinorUnits } from '@order-license/core/portable';
import type { Mock } from '@order-license/mock-api';
import { parseCsv } from '../../packages/mcp-server/src/testing/csv.fixture.ts';
import { codeRowsOf, type Json, rowsOf } from '../servers/mcp-rows.ts';
import { type Assistant, callToEnd, ToolError } from './assistant.ts';
import { busyDay, product } from './shops.ts';
import { decimal, readDirectly, sumBy, trueOrders } from './truth.ts';

export interface Question {
  text: string;
  /** The question as a model gets it: with dates, and with the format of the JSON at the end of its answer. */
  ask: string;
  shop: 'small' | 'large';
  /** Maximum number of calls and API requests for `answer`, and whether `answer` reads an exported file. */
  most: { calls: number; requests?: number; file?: true };
  truth(mock: Mock): unknown;
  answer(assistant: Assistant): Promise<unknown>;
  /** Finds the answer without searches, as in earlier versions: only with pages, single orders and order numbers. */
  before(assistant: Assistant, mock: Mock): Promise<unknown>;
}

const list = (assistant: Assistant, args: Json): Promise<Json> => assistant.call('order_license_list_orders', args);
const read = (assistant: Assistant, args: Json): Promise<Json> => assistant.call('order_license_get_order', args);
const ordersOf = ({ orders }: Json): Json[] => orders as Json[];
const ids = (orders: readonly Json[]): unknown[] => orders.map(({ id }) => id);
const byCurrency = ({ by_currency }: Json): Record<string, string> =>
  Object.fromEntries((by_currency as Json[]).map(({ waehrung, sum }) => [waehrung, sum]));

/** Adds amounts by key, in whole cents. */
const add = (amounts: Iterable<[key: unknown, amount: unknown]>): Record<string, string> => {
  const sums = new Map<string, bigint>();
  for (const [key, amount] of amounts)
    sums.set(String(key), (sums.get(String(key)) ?? 0n) + toMinorUnits(String(amount)));
  return Object.fromEntries([...sums].map(([key, cents]) => [key, decimal(cents)]));
};

/** Reads pages until all orders on a page are older than the range. Returns the orders in the range. */
const pageThrough = async (assistant: Assistant, from: string, before: string, args: Json = {}): Promise<Json[]> => {
  const found: Json[] = [];
  for (let page = 1; ; page++) {
    const answer = await list(assistant, { ...args, page, per_page: 50 });
    const orders = ordersOf(answer);
    found.push(...orders.filter(({ created_at }) => String(created_at) >= from && String(created_at) < before));
    const isLast = page >= (answer.pagination as { pages: number }).pages;
    if (isLast || orders.every(({ created_at }) => String(created_at) < from)) return found;
  }
};

/** Reads every order separately. */
const readEach = async (assistant: Assistant, orders: readonly Json[]): Promise<Json[]> => {
  const read: Json[] = [];
  for (const { id } of orders) read.push(await assistant.call('order_license_get_order', { id }));
  return read;
};

type Item = { product_name: string; menge: number; license_codes?: Json[] };
const keysOf = (orders: readonly Json[], name: string): string[] =>
  orders
    .flatMap(({ items }) => items as Item[])
    .filter(({ product_name }) => product_name === name)
    .flatMap(({ license_codes }) => license_codes ?? [])
    .map(({ license_key }) => String(license_key))
    .sort();
/** Returns the sorted license keys from the code tables of a result's parts. */
const codesOf = (parts: readonly Json[]): string[] =>
  parts
    .flatMap(codeRowsOf)
    .map(({ license_key }) => String(license_key))
    .sort();
const piecesOf = (orders: readonly Json[]): Record<string, number> => {
  const pieces: Record<string, number> = {};
  for (const { product_name, menge } of orders.flatMap(({ items }) => items as Item[])) {
    pieces[product_name] = (pieces[product_name] ?? 0) + menge;
  }
  return pieces;
};

const dayAfterBusyDay = '2026-03-04';
const week = ['2026-03-02', '2026-03-09'] as const;
const year = ['2025-06-01', '2026-06-01'] as const;
const month = ['2023-06-01', '2023-07-01'] as const;
const range = ([from, before]: readonly [string, string]): Json => ({ created_from: from, created_before: before });
/** The position of the order `oldNumber`, counted from the newest order. */
const oldPlace = 61_234;
const oldNumber = 'B-2023-310122';
const missingNumber = 'B-2022-200005';
const bulkOrder = 'Klassenzimmerlizenz';
const bulkNumber = 'B-2026-009553';

export const questions: readonly Question[] = [
  {
    text: 'What did we spend in that week, by currency?',
    ask: 'What is the sum of all orders from 2 to 8 March 2026 (UTC), by currency? As {"EUR": "1.00", …}.',
    shop: 'small',
    most: { calls: 1 },
    truth: (mock) => sumBy(trueOrders(mock, ...week), 'currency'),
    answer: async (assistant) => byCurrency(await list(assistant, { ...range(week), summary: true })),
    before: async (assistant) =>
      add(
        (await pageThrough(assistant, ...week)).map(({ waehrung, gesamtpreis_brutto }) => [
          waehrung,
          gesamtpreis_brutto,
        ]),
      ),
  },
  {
    text: `All codes of one product from one day with 18 orders`,
    ask: 'All license keys of Netzwerkscanner Pro that we bought on 3 March 2026 (UTC), sorted. As ["KEY", …].',
    shop: 'small',
    most: { calls: 1 },
    async truth(mock) {
      const orders = await Promise.all(
        trueOrders(mock, busyDay, dayAfterBusyDay).map(({ id }) => readDirectly(mock, `/orders/${id}`)),
      );
      return keysOf(orders, product);
    },
    answer: async (assistant) =>
      codesOf(await callToEnd(assistant, 'order_license_get_order', { ...range([busyDay, dayAfterBusyDay]), product })),
    before: async (assistant) =>
      keysOf(await readEach(assistant, await pageThrough(assistant, busyDay, dayAfterBusyDay)), product),
  },
  {
    text: 'The order with this old number, among 100,000',
    ask: 'Which id has order B-2023-310122? As a number.',
    shop: 'large',
    most: { calls: 1, requests: 14 },
    truth: (mock) => mock.state.orders('business').page(oldPlace, 1)[0]?.id,
    answer: async (assistant) => (await read(assistant, { order_number: oldNumber })).id,
    async before(assistant) {
      for (let page = 1; ; page++) {
        const found = ordersOf(await list(assistant, { page, per_page: 50 })).find(
          ({ bestellnummer }) => bestellnummer === oldNumber,
        );
        if (found) return (await read(assistant, { id: found.id })).id;
      }
    },
  },
  {
    text: 'How many orders are there of each status, among 100,000?',
    ask: 'How many orders are there of each status? As {"ausstehend": 1, …}.',
    shop: 'large',
    most: { calls: 1, requests: 5 },
    truth: ({ state }) =>
      Object.fromEntries(
        (['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert'] as const).map((status) => [
          status,
          state.orders('business').count(status),
        ]),
      ),
    answer: async (assistant) => (await list(assistant, { summary: true })).by_status,
    async before(assistant) {
      const counts: Json = {};
      for (const status of ['ausstehend', 'bezahlt', 'abgeschlossen', 'storniert']) {
        counts[status] = ((await list(assistant, { status, per_page: 1 })).pagination as Json).total;
      }
      return counts;
    },
  },
  {
    text: 'Which order is the oldest, among 100,000?',
    ask: 'Which id has the oldest order of all? As a number.',
    shop: 'large',
    most: { calls: 2, requests: 2 },
    truth: ({ state }) => state.orders('business').page(99_999, 1)[0]?.id,
    async answer(assistant) {
      const { pagination } = await list(assistant, { per_page: 1 });
      return ordersOf(await list(assistant, { per_page: 1, page: (pagination as Json).total }))[0]?.id;
    },
    async before(assistant) {
      const { pagination } = await list(assistant, {});
      return ordersOf(await list(assistant, { page: (pagination as Json).pages })).at(-1)?.id;
    },
  },
  {
    text: 'The totals of a month three years back, among 100,000',
    ask: 'What is the sum of all orders of June 2023 (UTC), by currency? As {"EUR": "1.00", …}.',
    shop: 'large',
    most: { calls: 1, requests: 60 },
    truth: (mock) => sumBy(trueOrders(mock, ...month), 'currency'),
    answer: async (assistant) =>
      add(
        (await callToEnd(assistant, 'order_license_list_orders', { ...range(month), summary: true })).flatMap((part) =>
          Object.entries(byCurrency(part)),
        ),
      ),
    before: async (assistant) =>
      add(
        (await pageThrough(assistant, ...month)).map(({ waehrung, gesamtpreis_brutto }) => [
          waehrung,
          gesamtpreis_brutto,
        ]),
      ),
  },
  {
    text: 'Which completed orders of that week are not paid yet?',
    ask: 'Which orders from 2 to 8 March 2026 (UTC) are completed but not paid yet? Their ids, newest first, as [1, …].',
    shop: 'small',
    most: { calls: 1 },
    truth: (mock) =>
      trueOrders(mock, ...week)
        .filter(({ status, isPaid }) => status === 'abgeschlossen' && !isPaid)
        .map(({ id }) => id),
    answer: async (assistant) =>
      ids(
        rowsOf(await list(assistant, { ...range(week), status: 'abgeschlossen' })).filter(
          ({ zahlungsstatus }) => zahlungsstatus === 'offen',
        ),
      ),
    before: async (assistant) =>
      ids(
        (await pageThrough(assistant, ...week, { status: 'abgeschlossen' })).filter(
          ({ zahlungsstatus }) => zahlungsstatus === 'offen',
        ),
      ),
  },
  {
    text: 'How much money is in orders of that year that are still pending?',
    ask: 'What is the sum of the orders from 1 June 2025 to 31 May 2026 (UTC) that are still pending, by currency? As {"EUR": "1.00", …}.',
    shop: 'small',
    most: { calls: 1 },
    truth: (mock) =>
      sumBy(
        trueOrders(mock, ...year).filter(({ status }) => status === 'ausstehend'),
        'currency',
      ),
    answer: async (assistant) =>
      byCurrency(await list(assistant, { ...range(year), status: 'ausstehend', summary: true })),
    before: async (assistant) =>
      add(
        (await pageThrough(assistant, ...year, { status: 'ausstehend' })).map(({ waehrung, gesamtpreis_brutto }) => [
          waehrung,
          gesamtpreis_brutto,
        ]),
      ),
  },
  {
    text: 'The 500 codes of one order, as a file',
    ask: `Write the license codes of order ${bulkNumber} into a file. How many rows does it have? As a number.`,
    shop: 'small',
    most: { calls: 1, file: true },
    async truth(mock) {
      const id = mock.state.orders('business').page(5, 1)[0]?.id;
      return keysOf([await readDirectly(mock, `/orders/${id}`)], bulkOrder);
    },
    async answer(assistant) {
      const [part] = await callToEnd(assistant, 'order_license_export_orders', {
        what: 'codes',
        order_number: bulkNumber,
      });
      return parseCsv(assistant.read(part?.file))
        .map(({ license_key }) => license_key)
        .sort();
    },
    async before(assistant, mock) {
      const id = ordersOf(await list(assistant, { per_page: 6 }))[5]?.id;
      // No single call returns all 500 codes, so the order is read from the API directly and counted as one call.
      return keysOf([assistant.count(await readDirectly(mock, `/orders/${id}`))], bulkOrder);
    },
  },
  {
    text: 'Is there an order with this number, among 100,000? (there is none)',
    ask: 'Is there an order B-2022-200005? As "yes", or as the error code of the tool.',
    shop: 'large',
    most: { calls: 1, requests: 14 },
    truth: () => 'not_located',
    answer: (assistant) => codeOf(read(assistant, { order_number: missingNumber })),
    before: (assistant) => codeOf(read(assistant, { order_number: missingNumber })),
  },
  {
    text: 'How many pieces of each product did we buy in that week?',
    ask: 'How many pieces of each product are in the orders from 2 to 8 March 2026 (UTC), whatever their status? As {"Product": 1, …}.',
    shop: 'small',
    most: { calls: 1 },
    async truth(mock) {
      const orders = trueOrders(mock, ...week);
      return piecesOf(await Promise.all(orders.map(({ id }) => readDirectly(mock, `/orders/${id}`))));
    },
    async answer(assistant) {
      const parts = await callToEnd(assistant, 'order_license_get_order', { ...range(week), codes: false });
      return piecesOf(parts.map(({ items }) => ({ items: rowsOf(items) })));
    },
    before: async (assistant) => piecesOf(await readEach(assistant, await pageThrough(assistant, ...week))),
  },
  {
    text: 'The newest five orders',
    ask: 'The ids of the newest five orders, newest first, as [1, …].',
    shop: 'small',
    most: { calls: 1, requests: 1 },
    truth: ({ state }) =>
      state
        .orders('business')
        .page(0, 5)
        .map(({ id }) => id),
    answer: async (assistant) => ids(ordersOf(await list(assistant, { per_page: 5 }))),
    before: async (assistant) => ids(ordersOf(await list(assistant, { per_page: 5 }))),
  },
];

/** Returns the code of the error that a call ends with. */
const codeOf = async (answer: Promise<unknown>): Promise<string> => {
  try {
    await answer;
    return 'no error';
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
};
