import {
  type Client,
  isOrderLicenseError,
  isRateLimitError,
  type OrderSummary,
  statusReading,
} from '@order-license/core/portable';
import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';

/** The newest orders of one key that the editor has requested so far. */
interface Listed {
  readAt: number;
  orders: Map<OrderSummary['id'], OrderSummary>;
  /** The page to read next; undefined at the end of the list. */
  nextPage: number | undefined;
  /** The pending read of that page, shared by all searches; false if no permit was granted. */
  reading: Promise<boolean> | undefined;
}

const keptForMs = 60_000;
const pageSize = 50;
/** The newest orders that a search for a text covers. */
const ordersPerSearch = 500;

const listedByKey = new Map<string, Listed>();

/**
 * The orders to choose from in the editor, newest first: 50 at a time without a filter. With one, the matches among the
 * newest 500; if there are none, the order with this number, however old. Results are kept for a minute, so typing
 * costs few requests.
 */
export async function searchOrders(
  this: ILoadOptionsFunctions,
  filter = '',
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  try {
    const credential = await readCredential(this);
    const client = clientFor(this, credential);
    const listed = listedFor(`${credential.baseUrl}\n${credential.apiKey}`);
    const wanted = filter.trim().toLowerCase();
    const from = Number(paginationToken ?? 0);
    const to = from + (wanted === '' ? pageSize : ordersPerSearch);
    await readUpTo(client, listed, from, to);

    const looked = Math.min(to, listed.orders.size);
    const results = [...listed.orders.values()].slice(from, to).filter((order) => matches(order, wanted));
    const more = looked < listed.orders.size || listed.nextPage !== undefined;
    if (results.length === 0 && from === 0 && more && /\d/.test(wanted)) return { results: await find(client, filter) };
    return { results: results.map(toChoice), ...(more && { paginationToken: String(looked) }) };
  } catch (error) {
    throw toNodeError(this.getNode(), error);
  }
}

/** Reads pages until `to` orders are known; fewer at the end of the list, or if a permit would take long. */
const readUpTo = async (client: Client, listed: Listed, from: number, to: number): Promise<void> => {
  while (listed.orders.size < to && listed.nextPage !== undefined) {
    // Existing results are better than a long wait: the user can scroll.
    const hasResults = listed.orders.size > from;
    listed.reading ??= readPage(client, listed, listed.nextPage, hasResults).finally(() => {
      listed.reading = undefined;
    });
    if (!(await listed.reading) && hasResults) break;
  }
};

/** @returns false if there are results and no permit was granted within a second */
const readPage = async (client: Client, listed: Listed, page: number, hasResults: boolean): Promise<boolean> => {
  const bounds = { priority: 'interactive', maxWaitMs: hasResults ? 1_000 : 15_000, deadlineMs: 30_000 } as const;
  try {
    const { orders, pagination } = await client.listOrders({ page, perPage: pageSize, ...bounds });
    // An order that arrived meanwhile moves others to the next page, where they are read again.
    for (const order of orders) listed.orders.set(order.id, order);
    listed.nextPage = orders.length > 0 && page < pagination.pages ? page + 1 : undefined;
    return true;
  } catch (error) {
    if (hasResults && isRateLimitError(error) && error.source === 'local') return false;
    return Promise.reject(error);
  }
};

/** The order with this number, if there is one. */
const find = async (client: Client, orderNumber: string): Promise<INodeListSearchItems[]> => {
  try {
    const { summary } = await client.findOrder(orderNumber, { maxWaitMs: 15_000, deadlineMs: 30_000 });
    return [toChoice(summary)];
  } catch (error) {
    return isOrderLicenseError(error) && error.search ? [] : Promise.reject(error);
  }
};

const listedFor = (key: string): Listed => {
  const now = performance.now();
  for (const [key, { readAt }] of listedByKey) if (now - readAt > keptForMs) listedByKey.delete(key);
  const known = listedByKey.get(key);
  if (known) return known;
  const listed: Listed = { readAt: now, orders: new Map(), nextPage: 1, reading: undefined };
  listedByKey.set(key, listed);
  return listed;
};

/** Short enough for the editor's list, which shows about 46 characters. */
const toChoice = (order: OrderSummary): INodeListSearchItems => {
  const date = String(order.created_at ?? '').slice(0, 10);
  const status = statusReading(order.status) ?? order.status;
  return {
    name: `${order.bestellnummer} · ${date} · ${status} · ${order.gesamtpreis_brutto} ${order.waehrung}`,
    value: String(order.id),
  };
};

/** Matches the text in the list, and the API's name for the status. */
const matches = (order: OrderSummary, wanted: string): boolean =>
  `${toChoice(order).name} ${order.status}`.toLowerCase().includes(wanted);
