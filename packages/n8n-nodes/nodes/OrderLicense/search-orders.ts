import { type Client, isRateLimitError, type OrderSummary, statusReading } from '@order-license/core/portable';
import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';

/** The newest orders of one key that the editor has requested so far. */
interface Listed {
  readAt: number;
  orders: Map<OrderSummary['id'], OrderSummary>;
  total: number | undefined;
  /** The page to read next; undefined at the end of the list. */
  nextPage: number | undefined;
  /** The pending read of that page, shared by all searches; false if no permit was granted. */
  reading: Promise<boolean> | undefined;
}

const keptForMs = 60_000;
const pageSize = 50;
/** Orders that one search reads before the user has to scroll. */
const ordersPerSearch = 500;

const listedByKey = new Map<string, Listed>();

/**
 * The orders to choose from in the editor, newest first: 50 at a time without a filter; with one, the matches among the
 * newest 500, and 500 more with each scroll. Results are kept for a minute, so typing costs no requests.
 */
export async function searchOrders(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  try {
    const credential = await readCredential(this);
    const client = clientFor(this, credential);
    const listed = listedFor(`${credential.baseUrl}\n${credential.apiKey}`);
    const wanted = (filter ?? '').trim().toLowerCase();
    const from = Number(paginationToken ?? 0);
    const to = from + (wanted === '' ? pageSize : ordersPerSearch);

    while (listed.orders.size < to && listed.nextPage !== undefined) {
      // Existing results are better than a long wait: the user can scroll.
      const hasResults = listed.orders.size > from;
      listed.reading ??= readPage(client, listed, hasResults).finally(() => {
        listed.reading = undefined;
      });
      if (!(await listed.reading) && hasResults) break;
    }

    const looked = Math.min(to, listed.orders.size);
    const more = looked < listed.orders.size || listed.nextPage !== undefined;
    const part = [...listed.orders.values()].slice(from, to);
    const results = part.filter((order) => matches(order, wanted)).map(toChoice);
    if (wanted !== '' && more) results.push(lookedAt(looked, listed.total));
    return { results, ...(more && { paginationToken: String(looked) }) };
  } catch (error) {
    throw toNodeError(this.getNode(), error);
  }
}

/** @returns false if there are results and no permit was granted within a second */
const readPage = async (client: Client, listed: Listed, hasResults: boolean): Promise<boolean> => {
  const maxWaitMs = hasResults ? 1_000 : 15_000;
  const options = { startPage: listed.nextPage, priority: 'interactive', maxWaitMs, deadlineMs: 30_000 } as const;
  const isHeldBack = (error: unknown) => hasResults && isRateLimitError(error) && error.source === 'local';
  const step = await client
    .orderPages(options)
    .next()
    .catch((error: unknown) => (isHeldBack(error) ? undefined : Promise.reject(error)));
  if (!step) return false;
  const page = step.done ? undefined : step.value;
  for (const order of page?.orders ?? []) listed.orders.set(order.id, order);
  listed.total = page?.total ?? listed.total;
  listed.nextPage = page && page.page < page.pages ? page.page + 1 : undefined;
  return true;
};

const listedFor = (key: string): Listed => {
  const now = performance.now();
  for (const [key, { readAt }] of listedByKey) if (now - readAt > keptForMs) listedByKey.delete(key);
  const listed = listedByKey.get(key) ?? {
    readAt: now,
    orders: new Map(),
    total: undefined,
    nextPage: 1,
    reading: undefined,
  };
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

/** Matches the text in the list, and the service's name for the status. */
const matches = (order: OrderSummary, wanted: string): boolean =>
  `${toChoice(order).name} ${order.status}`.toLowerCase().includes(wanted);

/** A line that says how far the search got. It has no ID, so it cannot be mistaken for an order. */
const lookedAt = (looked: number, total: number | undefined): INodeListSearchItems => ({
  name:
    total === undefined
      ? `Searched the newest ${looked} orders. Scroll for more, or choose 'Number'`
      : `Searched the newest ${looked} of ${total} orders. Scroll for more, or choose 'Number'`,
  value: '',
});
