import { compareOrderNumbers, foldOrderNumber } from '@order-license/core/host';
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

/** The orders that the editor has read so far with one API key, newest first. */
interface Listed {
  readAt: number;
  orders: OrderSummary[];
  walk: ReturnType<Client['orderPages']>;
  isWhole: boolean;
  /** Finds older orders; remembers what it has read. */
  finder: OrderFinder;
  /** The latest search. Each search waits for the previous one, so no page is read twice. */
  last: Promise<unknown>;
}

const keptForMs = 60_000;
const pageSize = 50;
/** Number of orders in which a filter looks before the user scrolls. */
const ordersPerSearch = 500;
const limits = { priority: 'interactive', maxWaitMs: 10_000 } as const;

const listedByKey = new Map<string, Listed>();

/**
 * Returns the orders to choose from in the editor, newest first. Without a filter, returns 50 orders at a time. With a
 * filter, looks for all of its words in 500 orders at a time. If none of the newest 500 matches and the filter has the
 * form of an order number, searches for that order, however old it is. What was read is kept for a minute, so typing
 * sends few requests.
 */
export async function searchOrders(
  this: ILoadOptionsFunctions,
  filter = '',
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  try {
    const credential = await readCredential(this);
    const listed = listedFor(`${credential.baseUrl}\n${credential.apiKey}`, () => clientFor(this, credential));
    const typed = foldOrderNumber(filter);
    const words = typed.replace('€', ' eur').split(/\s+/).filter(Boolean).map(asListed);
    const from = Number(paginationToken ?? 0);
    const to = from + (words.length === 0 ? pageSize : ordersPerSearch);
    listed.last = listed.last.catch(() => undefined).then(() => readUpTo(listed, from, to));
    await listed.last;

    const { orders, isWhole } = listed;
    const looked = Math.min(to, orders.length);
    const matches = orders.slice(from, to).filter((order) => words.every((word) => shownText(order).includes(word)));
    const more = looked < orders.length || !isWhole;
    if (matches.length === 0 && from === 0 && more && mayBeNumber(typed, listed)) {
      return { results: await find(listed.finder, filter) };
    }
    return { results: matches.map(toChoice), ...(more && { paginationToken: String(looked) }) };
  } catch (error) {
    // The editor's list never shows license keys, whatever the node is set to output.
    throw toNodeError(this.getNode(), protectError(error, 'leftOut'));
  }
}

/** Reads pages until `to` orders are known, the list ends, or the next page would need a long wait. */
const readUpTo = async (listed: Listed, from: number, to: number): Promise<void> => {
  while (!listed.isWhole && listed.orders.length < to) {
    try {
      const { value } = await listed.walk.next();
      listed.orders.push(...(value?.orders ?? []));
      listed.isWhole = value?.isLast ?? true;
    } catch (error) {
      // Returns the results found so far instead: the user can scroll to load more.
      if (isRateLimitError(error) && error.source === 'local' && listed.orders.length > from) return;
      await Promise.reject(error);
    }
  }
};

/** Whether a text has the form of this account's order numbers. A word, a date or `B-2024` must not cause a search. */
const mayBeNumber = (text: string, { orders }: Listed): boolean =>
  orders.some(({ bestellnummer }) => compareOrderNumbers(foldOrderNumber(String(bestellnummer)), text) !== undefined);

/** Returns the order with this number, if there is one. */
const find = async (finder: OrderFinder, orderNumber: string): Promise<INodeListSearchItems[]> => {
  try {
    const { summary } = await finder.find(orderNumber, { ...limits, deadlineMs: 30_000 });
    return [toChoice(summary)];
  } catch (error) {
    return isOrderLicenseError(error) && error.search ? [] : Promise.reject(error);
  }
};

const listedFor = (key: string, connect: () => Client): Listed => {
  const now = performance.now();
  for (const [key, { readAt }] of listedByKey) if (now - readAt > keptForMs) listedByKey.delete(key);
  const known = listedByKey.get(key);
  if (known) return known;
  const client = connect();
  const listed: Listed = {
    readAt: now,
    orders: [],
    walk: client.orderPages({ ...limits, retries: 1 }),
    isWhole: false,
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

/** The text in which a search looks: what the list shows, and the API's name for the status. */
const shownText = (order: OrderSummary): string => foldOrderNumber(`${toChoice(order).name} ${order.status}`);

/** Returns a date or an amount in German form as the list shows it: 20.11.26 as 2026-11-20, 1.119,00 as 1119.00. */
const asListed = (word: string): string =>
  word
    .replace(/^(\d\d?)\.(\d\d?)\.(?:20)?(\d\d)$/, (_, day, month, year) =>
      [`20${year}`, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
    )
    .replace(/^[\d.]+,\d\d$/, (amount) => amount.replaceAll('.', '').replace(',', '.'));
