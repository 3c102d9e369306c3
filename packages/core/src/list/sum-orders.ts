import { textOf } from '../base/checks.ts';
import { fromMinorUnits, toMinorUnits } from '../model/money.ts';
import type { OrderSummary } from '../model/order.ts';

/**
 * The orders with one currency and one combination of order status, payment status and delivery status. Null stands for
 * a missing value.
 */
export interface TotalsGroup {
  /**
   * With `groupBy`, the first day of the period in which the orders were created, `YYYY-MM-DD`; null without a readable
   * date.
   */
  period?: string | null;
  waehrung: string | null;
  status: string | null;
  zahlungsstatus: string | null;
  lieferstatus: string | null;
  /** Number of orders. */
  count: number;
  /** Exact sum of the orders' `gesamtpreis_brutto`: a decimal string with two fraction digits. */
  sum: string;
  /** Number of orders that are included in `count` but not in `sum`; the result's `unreadable` lists these orders. */
  unreadable: number;
}

/** An order with a value that cannot be read. */
export interface UnreadableOrder {
  id: number;
  /**
   * `gesamtpreis_brutto`, `waehrung`: counted, but not summed. `created_at`: not counted, since it may be outside the
   * requested range.
   */
  field: 'gesamtpreis_brutto' | 'waehrung' | 'created_at';
  /** The value, unchanged. */
  value: unknown;
}

export interface OrderSums {
  /** The groups in the sequence in which their first orders were added. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount or currency cannot be read: counted, but not summed. */
  unreadable: UnreadableOrder[];
}

/** A field, besides the currency, by which orders can be grouped. */
type State = 'period' | 'status' | 'zahlungsstatus' | 'lieferstatus';

/**
 * Counts and adds up orders by currency and state.
 * @param periodOf returns the period of an order; if given, each period is counted separately
 */
export const createOrderCounter = (periodOf?: (order: OrderSummary) => string | null) => {
  const states: State[] = ['status', 'zahlungsstatus', 'lieferstatus'];
  if (periodOf) states.unshift('period');
  const groups = new Map<string, TotalsGroup>();
  const unreadable: UnreadableOrder[] = [];
  return {
    add(order: OrderSummary): void {
      // Amounts without a currency are not added up, because they may be in different currencies.
      const field = order.waehrung ? 'gesamtpreis_brutto' : 'waehrung';
      const sum = field === 'waehrung' ? undefined : amountOf(order[field]);
      if (sum === undefined) unreadable.push({ id: order.id, field, value: order[field] });
      const figures = { count: 1, sum: sum ?? '0.00', unreadable: sum === undefined ? 1 : 0 };
      addGroup(groups, { ...order, period: periodOf?.(order) }, states, figures);
    },
    result: (): OrderSums => ({ groups: [...groups.values()], unreadable: [...unreadable] }),
  };
};

/**
 * Counts orders and adds up their amounts exactly, in the format of `totals`.
 * @param periodOf returns the period of an order; if given, each period is counted separately
 */
export const sumOrders = (
  orders: Iterable<OrderSummary>,
  periodOf?: (order: OrderSummary) => string | null,
): OrderSums => {
  const { add, result } = createOrderCounter(periodOf);
  for (const order of orders) add(order);
  return result();
};

/** The sums for one currency and one combination of the chosen states. */
export type CombinedGroup<By extends State = never> = Omit<TotalsGroup, Exclude<State, By>>;

/**
 * Adds up groups of `totals` or `sumOrders` that differ only in states you don't need. Currencies stay separate.
 * @param by the states to keep; if empty, there is one sum per currency
 * @returns the combined groups, in the sequence in which they first appear
 */
export const combineGroups = <By extends State = never>(
  groups: Iterable<TotalsGroup>,
  by: readonly By[] = [],
): CombinedGroup<By>[] => {
  const combined = new Map<string, TotalsGroup>();
  for (const group of groups) addGroup(combined, group, by, group);
  return [...combined.values()];
};

/** Adds figures to the group with the same currency and the same values of `states`. */
const addGroup = (
  groups: Map<string, TotalsGroup>,
  values: Partial<Record<State | 'waehrung', unknown>>,
  states: readonly State[],
  { count, sum, unreadable }: Pick<TotalsGroup, 'count' | 'sum' | 'unreadable'>,
): void => {
  const names = ['waehrung', ...states] as const;
  const kept = Object.fromEntries(names.map((name) => [name, nameOf(values[name])]));
  const key = JSON.stringify(kept);
  const before = groups.get(key);
  groups.set(key, {
    ...kept,
    count: count + (before?.count ?? 0),
    sum: fromMinorUnits(toMinorUnits(sum) + toMinorUnits(before?.sum ?? '0.00')),
    unreadable: unreadable + (before?.unreadable ?? 0),
  } as TotalsGroup);
};

/**
 * Returns an amount that can be added up exactly. Some servers send numbers; from 16 digits on, these may have been
 * rounded. Longer texts are not read, because adding up a million digits takes seconds.
 * @returns undefined if the value cannot be read
 */
const amountOf = (value: unknown): string | undefined => {
  const isExact = typeof value === 'number' && Math.abs(value) < 1e13 && Number(value.toFixed(2)) === value;
  const text = isExact ? value.toFixed(2) : value;
  return typeof text === 'string' && /^-?\d{1,1000}\.\d\d$/.test(text) ? text : undefined;
};

const nameOf = (value: unknown): string | null => (value == null ? null : textOf(value));
