import type { OrderSummary } from '@order-license/core/portable';
import { hasLicenseCodes, toDate } from '@order-license/core/portable';

/** What is remembered of one order. Short names: there can be thousands. No license key is ever kept. */
export interface Watched {
  /** Status when it was last seen. */
  s: string;
  /** `created_at` in seconds since 1970, where it can be read. */
  d?: number;
  /** Number of the sweep that saw it last. */
  v: number;
  /** Status changes so far. */
  n?: number;
  /** Print of its three states; another print is a reason to read the order for license codes. */
  f?: string;
  /** 1 while that reading is due. */
  u?: 1;
  /**
   * `<position>:<code>` of the license codes known so far; absent until the order was read, if it could have codes
   * before. Earlier versions wrote the bare IDs of the codes.
   */
  k?: (number | string)[];
  /** When to look again for codes that may follow, in seconds since 1970; absent when every position has its codes. */
  w?: number;
  /** Since when codes have been looked for with this status, in seconds since 1970. */
  t?: number;
}

/** All that a trigger remembers between polls. */
export interface Watch {
  version: 1;
  /** The account that it belongs to, see `accountOf`. */
  account: string;
  /** Unknown orders made before this, in ms since 1970, were there already: no order made later is ever forgotten. */
  from: number;
  /** True until a sweep meets nothing unknown: what it meets was there already, unless it is newer than `newest`. */
  baseline: boolean;
  /** True when the sweep under way has met unknown orders that were there already. */
  unknown?: true;
  /** `created_at` of the newest order when the watch began, in seconds since 1970. */
  newest?: number;
  /** Number of the sweep under way. */
  sweep: number;
  /** Where that sweep is; absent between two. */
  at?: { stage: string; page: number } | undefined;
  /** Whose turn it is to send the next request, counted on from poll to poll. */
  turn: number;
  orders: Record<string, Watched>;
}

/** Bytes that a watch may take in n8n's database: some 15,000 orders. */
const mostBytes = 1_048_576;

export const newWatch = (account: string, from: number): Watch => ({
  version: 1,
  account,
  from,
  baseline: true,
  sweep: 1,
  at: { stage: 'young', page: 1 },
  turn: 0,
  orders: {},
});

/** @returns undefined for anything that this version has not written */
export const readWatch = (saved: unknown): Watch | undefined => {
  if (typeof saved !== 'string') return undefined;
  try {
    const watch = JSON.parse(saved) as Watch;
    return watch.version === 1 ? watch : undefined;
  } catch {
    return undefined;
  }
};

/** @throws {RangeError} when there are more orders to remember than fit */
export const writeWatch = (watch: Watch): string => {
  const saved = JSON.stringify(watch);
  if (saved.length <= mostBytes) return saved;
  throw new RangeError(`${Object.keys(watch.orders).length} orders are too many to watch`);
};

/** Closed orders are watched while they are young, open ones until they are closed; unheard-of states count as open. */
export const isClosed = (status: string): boolean => status === 'abgeschlossen' || status === 'storniert';

/** License codes are there for these only (§3). */
export const mayHaveCodes = (status: string): boolean => hasLicenseCodes(status) === true;

export const createdSeconds = (order: Pick<OrderSummary, 'created_at'>): number | undefined => {
  const created = toDate(order.created_at);
  return created ? created.getTime() / 1000 : undefined;
};

/** A short print of the three states of an order. */
export const printOf = ({ status, zahlungsstatus, lieferstatus }: OrderSummary): string =>
  hashOf(`${status}|${zahlungsstatus}|${lieferstatus}`);

/** 32-bit FNV-1a, in base 36. */
export const hashOf = (text: string): string => {
  let hash = 0x811c9dc5;
  for (const char of text) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(36);
};
