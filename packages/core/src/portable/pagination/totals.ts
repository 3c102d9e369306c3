import type { CallOptions } from '../base/call-options.ts';
import { checkOptions } from '../base/check-options.ts';
import { toDate } from '../model/dates.ts';
import { fromMinorUnits, toMinorUnits } from '../model/money.ts';
import type { OrderList, OrderSummary } from '../model/order-list.ts';
import type { StatusFilter } from '../model/order-status.ts';
import type { DateRange } from './date-range.ts';
import { readCount } from './read-count.ts';
import { walkPages } from './walk.ts';
import type { ListChanges, ReadPage } from './walk-progress.ts';

export interface TotalsOptions extends CallOptions, DateRange {
  /** Only orders with this status, or with one of these. Several are read from the whole list and chosen here. */
  status?: StatusFilter | readonly StatusFilter[] | undefined;
  /** Called after each list request with the totals so far. Must not throw. */
  onProgress?: ((soFar: Readonly<Totals>) => void) | undefined;
}

/** Orders that agree in currency and in all three states; null stands for a value that is missing. */
export interface TotalsGroup {
  waehrung: string | null;
  status: string | null;
  zahlungsstatus: string | null;
  lieferstatus: string | null;
  /** Orders. */
  count: number;
  /** Exact sum of their `gesamtpreis_brutto`: a decimal string with two fraction digits. */
  sum: string;
  /** Orders of `count` that are not in `sum`: they are listed in `unreadable`. */
  unreadable: number;
}

/** An order with a value that cannot be read. */
export interface UnreadableOrder {
  id: number;
  /**
   * `gesamtpreis_brutto`, `waehrung`: counted, but in no sum. `created_at`: not counted, since it may lie outside the
   * range that was asked for.
   */
  field: 'gesamtpreis_brutto' | 'waehrung' | 'created_at';
  /** The value as it came. */
  value: unknown;
}

/**
 * Why orders may be missing: `unfinished`, the walk is still under way; `unsorted`, an answer is not sorted by date;
 * `undated`, a range was asked for, and the date of an order cannot be read; `unseen`, the service counts more orders
 * than it returned.
 */
export type TotalsGap = 'unfinished' | 'unsorted' | 'undated' | 'unseen';

export interface Totals {
  /** In the order in which the list shows the first order of each. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount, currency or date cannot be read. */
  unreadable: UnreadableOrder[];
  /** True if every order of the range is in `groups`: nothing in `gaps`, no order in `unreadable` for its date. */
  complete: boolean;
  /** Why `complete` is false. */
  gaps: TotalsGap[];
  /** `created_at` of the newest and of the oldest order counted, as they came. */
  newest: string | undefined;
  oldest: string | undefined;
  /** Orders counted, and list requests spent. */
  orders: number;
  requests: number;
}

/**
 * Counts and adds up the orders of a range. The upper end is fixed by the first answer with orders in the range: orders
 * newer than those are left out, so that a later call with `createdFrom` can begin there.
 * @throws `bad_request` for options that cannot be right, before anything is sent; then what a call throws, with `page`
 */
export const totals = async (read: ReadPage, options: TotalsOptions): Promise<Totals> => {
  const { status, createdFrom, createdBefore, onProgress } = checkOptions(options);
  const hasRange = createdFrom !== undefined || createdBefore !== undefined;
  const isFiltered = status !== undefined && [status].flat().length === 1;
  const groups = new Map<string, Group>();
  const unreadable: UnreadableOrder[] = [];
  const gaps = new Set<TotalsGap>(['unfinished']);
  let newest: OrderSummary | undefined;
  let oldest: OrderSummary | undefined;
  let upperEnd: number | undefined;
  let orders = 0;
  let requests = 0;

  const watched: ReadPage = async (query) => {
    const list = await read(query);
    requests += 1;
    if (!isSorted(list.orders)) gaps.add('unsorted');
    if (hasRange && !query.status && isShort(list, query.perPage)) gaps.add('unseen');
    return list;
  };
  const add = (order: OrderSummary): void => {
    const time = timeOf(order);
    if (time === undefined && hasRange) {
      gaps.add('undated');
      unreadable.push({ id: order.id, field: 'created_at', value: order.created_at });
      return;
    }
    if (time !== undefined && upperEnd !== undefined && time > upperEnd) {
      // A walk over the whole list never comes back to its top, so it is no arrival.
      if (isFiltered) return;
      gaps.add('unsorted');
    }
    if (time !== undefined && time > (timeOf(newest) ?? Number.NEGATIVE_INFINITY)) newest = order;
    if (time !== undefined && time < (timeOf(oldest) ?? Number.POSITIVE_INFINITY)) oldest = order;
    orders += 1;
    const problem = addToGroup(groups, order);
    if (problem) unreadable.push({ id: order.id, field: problem, value: order[problem] });
  };
  const result = (): Totals => ({
    groups: [...groups.values()].map(({ units, ...group }) => ({ ...group, sum: fromMinorUnits(units) })),
    unreadable: [...unreadable],
    complete: gaps.size === 0,
    gaps: [...gaps],
    newest: newest?.created_at,
    oldest: oldest?.created_at,
    orders,
    requests,
  });

  for await (const page of walkPages(watched, { status, createdFrom, createdBefore })) {
    page.orders.forEach(add);
    upperEnd ??= timeOf(newest);
    if (page.changes && hasUnseen(page.changes)) gaps.add('unseen');
    onProgress?.(result());
  }
  gaps.delete('unfinished');
  return result();
};

type Group = Omit<TotalsGroup, 'sum'> & { units: bigint };

/** @returns the field that kept the amount out of the sum */
const addToGroup = (groups: Map<string, Group>, order: OrderSummary): 'gesamtpreis_brutto' | 'waehrung' | undefined => {
  const states = {
    waehrung: textOf(order.waehrung),
    status: textOf(order.status),
    zahlungsstatus: textOf(order.zahlungsstatus),
    lieferstatus: textOf(order.lieferstatus),
  };
  const key = JSON.stringify(Object.values(states));
  const group = groups.get(key) ?? { ...states, count: 0, units: 0n, unreadable: 0 };
  groups.set(key, group);
  group.count += 1;
  // Amounts of unknown currencies may be of several.
  const problem = states.waehrung ? undefined : 'waehrung';
  const units = problem ? undefined : readUnits(order.gesamtpreis_brutto);
  if (units === undefined) group.unreadable += 1;
  else group.units += units;
  return units === undefined ? (problem ?? 'gesamtpreis_brutto') : undefined;
};

const readUnits = (amount: string): bigint | undefined => {
  try {
    return toMinorUnits(amount);
  } catch {
    return undefined;
  }
};

const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const timeOf = (order: OrderSummary | undefined): number | undefined => toDate(order?.created_at)?.getTime();

/** True if more orders were not returned than arrived during the walk. */
const hasUnseen = ({ unseen, totalAtStart = 0, totalNow = 0 }: ListChanges): boolean =>
  unseen > Math.max(0, totalNow - totalAtStart);

/** True for a page before the last that has fewer orders than it should: the walk of a range does not see its end. */
const isShort = ({ orders, pagination }: OrderList, perPage: number): boolean =>
  readCount(pagination.page, 1) < pagination.pages && orders.length < readCount(pagination.per_page, perPage);

const isSorted = (orders: readonly OrderSummary[]): boolean => {
  const times = orders.map(timeOf).filter((time) => time !== undefined);
  return times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
};
