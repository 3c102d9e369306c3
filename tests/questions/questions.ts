import type { Mock } from '@order-license/mock-api';
import { parseCsv } from '../../packages/mcp-server/src/testing/csv.fixture.ts';
import { codeRowsOf, type Json, rowsOf } from '../servers/mcp-rows.ts';
import { type Assistant, callToEnd, ToolError } from './assistant.ts';
import { busyDay, product } from './shops.ts';
import { sumByCurrency, trueOrders } from './truth.ts';

export interface Question {
  text: string;
  /** The question as a model gets it: with dates, and with the format of the JSON at the end of its answer. */
  ask: string;
  shop: 'small' | 'large';
  /** Maximum number of calls and API requests for `answer`, and whether `answer` reads an exported file. */
  most: { calls: number; requests?: number; file?: true };
  truth(mock: Mock): unknown;
  answer(assistant: Assistant): Promise<unknown>;
}

const list = (assistant: Assistant, args: Json): Promise<Json> => assistant.call('order_license_list_orders', args);
const read = (assistant: Assistant, args: Json): Promise<Json> => assistant.call('order_license_get_order', args);
const detailsOf = ({ state }: Mock, orders: readonly { id: number }[]): Json[] =>
  orders.map(({ id }) => state.order(id).detail as unknown as Json);
const ordersOf = ({ orders }: Json): Json[] => orders as Json[];
const ids = (orders: readonly Json[]): unknown[] => orders.map(({ id }) => id);
const byCurrency = ({ by_currency }: Json): Record<string, string> =>
  Object.fromEntries((by_currency as Json[]).map(({ waehrung, sum }) => [waehrung, sum]));

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
    truth: (mock) => sumByCurrency(trueOrders(mock, ...week)),
    answer: async (assistant) => byCurrency(await list(assistant, { ...range(week), summary: true })),
  },
  {
    text: `All codes of one product from one day with 18 orders`,
    ask: 'All license keys of Netzwerkscanner Pro that we bought on 3 March 2026 (UTC), sorted. As ["KEY", …].',
    shop: 'small',
    most: { calls: 1 },
    truth: (mock) => keysOf(detailsOf(mock, trueOrders(mock, busyDay, dayAfterBusyDay)), product),
    answer: async (assistant) =>
      codesOf(await callToEnd(assistant, 'order_license_get_order', { ...range([busyDay, dayAfterBusyDay]), product })),
  },
  {
    text: 'The order with this old number, among 100,000',
    ask: 'Which id has order B-2023-310122? As a number.',
    shop: 'large',
    most: { calls: 1, requests: 14 },
    truth: (mock) => mock.state.orders('business').page(oldPlace, 1)[0]?.id,
    answer: async (assistant) => (await read(assistant, { order_number: oldNumber })).id,
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
  },
  {
    text: 'The totals of a month three years back, among 100,000',
    ask: 'What is the sum of all orders of June 2023 (UTC), by currency? As {"EUR": "1.00", …}.',
    shop: 'large',
    most: { calls: 1, requests: 60 },
    truth: (mock) => sumByCurrency(trueOrders(mock, ...month)),
    answer: async (assistant) => byCurrency(await list(assistant, { ...range(month), summary: true })),
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
  },
  {
    text: 'How much money is in orders of that year that are still pending?',
    ask: 'What is the sum of the orders from 1 June 2025 to 31 May 2026 (UTC) that are still pending, by currency? As {"EUR": "1.00", …}.',
    shop: 'small',
    most: { calls: 1 },
    truth: (mock) => sumByCurrency(trueOrders(mock, ...year).filter(({ status }) => status === 'ausstehend')),
    answer: async (assistant) =>
      byCurrency(await list(assistant, { ...range(year), status: 'ausstehend', summary: true })),
  },
  {
    text: 'The 500 codes of one order, as a file',
    ask: `Write the license codes of order ${bulkNumber} into a file. How many rows does it have? As a number.`,
    shop: 'small',
    most: { calls: 1, file: true },
    truth: (mock) => keysOf(detailsOf(mock, mock.state.orders('business').page(5, 1)), bulkOrder),
    async answer(assistant) {
      const [part] = await callToEnd(assistant, 'order_license_export_orders', {
        what: 'codes',
        order_number: bulkNumber,
      });
      return parseCsv(assistant.read(part?.file))
        .map(({ license_key }) => license_key)
        .sort();
    },
  },
  {
    text: 'Is there an order with this number, among 100,000? (there is none)',
    ask: 'Is there an order B-2022-200005? As "yes", or as the error code of the tool.',
    shop: 'large',
    most: { calls: 1, requests: 14 },
    truth: () => 'not_located',
    answer: (assistant) => codeOf(read(assistant, { order_number: missingNumber })),
  },
  {
    text: 'How many pieces of each product did we buy in that week?',
    ask: 'How many pieces of each product are in the orders from 2 to 8 March 2026 (UTC), whatever their status? As {"Product": 1, …}.',
    shop: 'small',
    most: { calls: 1 },
    truth: (mock) => piecesOf(detailsOf(mock, trueOrders(mock, ...week))),
    async answer(assistant) {
      const parts = await callToEnd(assistant, 'order_license_get_order', { ...range(week), codes: false });
      return piecesOf(parts.map(({ items }) => ({ items: rowsOf(items) })));
    },
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
