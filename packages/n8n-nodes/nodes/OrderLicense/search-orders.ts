import {
  type Client,
  isOrderLicenseError,
  isRateLimitError,
  type OrderFinder,
  type OrderSummary,
  statusReading,
} from '@order-license/core/portable';
import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';
import { protectError } from '../shared/license-keys';

/** The orders that the editor has requested so far with one API key, newest first. */
interface Listed {
  readAt: number;
  orders: Map<OrderSummary['id'], OrderSummary>;
  /** The page to read next; undefined at the end of the list. */
  nextPage: number | undefined;
  /** Finds older orders; remembers what it has read. */
  finder: OrderFinder;
  /** The latest search. Each search waits for the previous one, so no page is read twice. */
  last: Promise<unknown>;
}

const keptForMs = 60_000;
const pageSize = 50;
/** Number of orders that a text search covers, starting with the newest. */
const ordersPerSearch = 500;

const listedByKey = new Map<string, Listed>();

/**
 * Returns the orders to choose from in the editor, newest first. Without a filter, returns 50 orders at a time. With a
 * filter, returns the matches among the newest 500 orders. If there are none, returns the order whose number equals the
 * filter, however old it is. Results are kept for a minute, and text that is too short for a number is not searched for
 * beyond the newest 500 orders, so typing sends few requests.
 */
export async function searchOrders(
  this: ILoadOptionsFunctions,
  filter = '',
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  try {
    const credential = await readCredential(this);
    const client = clientFor(this, credential);
    const listed = listedFor(`${credential.baseUrl}\n${credential.apiKey}`, client);
    const wanted = filter.trim().toLowerCase();
    const from = Number(paginationToken ?? 0);
    const to = from + (wanted === '' ? pageSize : ordersPerSearch);
    await readUpTo(client, listed, from, to);

    const looked = Math.min(to, listed.orders.size);
    const results = [...listed.orders.values()].slice(from, to).filter((order) => matches(order, wanted));
    const more = looked < listed.orders.size || listed.nextPage !== undefined;
    if (results.length === 0 && from === 0 && more && isWholeNumber(wanted, listed))
      return { results: await find(listed.finder, filter) };
    return { results: results.map(toChoice), ...(more && { paginationToken: String(looked) }) };
  } catch (error) {
    // The editor's list never shows license keys, whatever the node is set to output.
    throw toNodeError(this.getNode(), protectError(error, 'leftOut'));
  }
}

/**
 * Reads pages until `to` orders are known. Stops earlier at the end of the list, or if a permit would require a long
 * wait.
 */
const readUpTo = (client: Client, listed: Listed, from: number, to: number): Promise<void> => {
  const { orders } = listed;
  const reading = listed.last.then(async () => {
    for (let page = listed.nextPage; page !== undefined && orders.size < to; page = listed.nextPage) {
      // Returns the results found so far instead of waiting long: the user can scroll to load more.
      const hasResults = orders.size > from;
      const options = { priority: 'interactive', maxWaitMs: hasResults ? 1_000 : 15_000, deadlineMs: 30_000 } as const;
      const known = orders.size;
      try {
        const list = await client.listOrders({ page, perPage: pageSize, ...options });
        // An order that arrived since the last page was read pushes others to the next page, which then repeats them.
        for (const order of list.orders) orders.set(order.id, order);
        // An API can return the same page for every page number.
        listed.nextPage = orders.size > known && page < list.pagination.pages ? page + 1 : undefined;
      } catch (error) {
        if (hasResults && isRateLimitError(error) && error.source === 'local') return;
        await Promise.reject(error);
      }
    }
  });
  listed.last = reading.catch(() => undefined);
  return reading;
};

/**
 * Whether the search text can be a whole order number: it has at least as many groups of digits as a known number, such as
 * two in B-2026-42. Text with one group is too short if every known number is at least two characters longer: somebody is
 * probably still typing it.
 */
const isWholeNumber = (wanted: string, { orders }: Listed): boolean => {
  const groupsIn = (text: string): number => text.match(/\d+/g)?.length ?? 0;
  const typed = groupsIn(wanted);
  const numbers = Array.from(orders.values(), ({ bestellnummer }) => String(bestellnummer));
  return numbers.some((number) => groupsIn(number) <= typed && (typed > 1 || wanted.length >= number.length - 1));
};

/** Returns the order with this number, if there is one. */
const find = async (finder: OrderFinder, orderNumber: string): Promise<INodeListSearchItems[]> => {
  try {
    const { summary } = await finder.find(orderNumber, { maxWaitMs: 15_000, deadlineMs: 30_000 });
    return [toChoice(summary)];
  } catch (error) {
    return isOrderLicenseError(error) && error.search ? [] : Promise.reject(error);
  }
};

const listedFor = (key: string, client: Client): Listed => {
  const now = performance.now();
  for (const [key, { readAt }] of listedByKey) if (now - readAt > keptForMs) listedByKey.delete(key);
  const known = listedByKey.get(key);
  if (known) return known;
  const listed: Listed = {
    readAt: now,
    orders: new Map(),
    nextPage: 1,
    finder: client.orderFinder(),
    last: Promise.resolve(),
  };
  listedByKey.set(key, listed);
  return listed;
};

/** Describes an order briefly, because the editor's list shows about 46 characters. */
const toChoice = (order: OrderSummary): INodeListSearchItems => {
  const date = String(order.created_at ?? '').slice(0, 10);
  const status = statusReading(order.status) ?? order.status;
  return {
    name: `${order.bestellnummer} · ${date} · ${status} · ${order.gesamtpreis_brutto} ${order.waehrung}`,
    value: String(order.id),
  };
};

/** Whether the text shown in the list, or the API's name for the status, contains the search text. */
const matches = (order: OrderSummary, wanted: string): boolean =>
  `${toChoice(order).name} ${order.status}`.toLowerCase().includes(wanted);
