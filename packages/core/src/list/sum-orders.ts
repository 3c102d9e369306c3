import { fromMinorUnits, toMinorUnits } from '../model/money.ts';
import type { OrderSummary } from '../model/order.ts';

/** Orders with the same currency and the same three states; null stands for a missing value. */
export interface TotalsGroup {
  /** The first day of the period in which they were created, `YYYY-MM-DD`, with `groupBy`; null without a date. */
  period?: string | null;
  waehrung: string | null;
  status: string | null;
  zahlungsstatus: string | null;
  lieferstatus: string | null;
  /** Orders. */
  count: number;
  /** Exact sum of their `gesamtpreis_brutto`: a decimal string with two fraction digits. */
  sum: string;
  /** Orders counted in `count` but not in `sum`: `unreadable` lists them. */
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
  /** In the order in which the first order of each was added. Currencies are never added together. */
  groups: TotalsGroup[];
  /** Orders whose amount or currency cannot be read: counted, but not summed. */
  unreadable: UnreadableOrder[];
}

/** Counts and adds up orders by currency and state. */
export interface OrderCounter {
  add(order: OrderSummary): void;
  result(): OrderSums;
}

/** @param periodOf the period of an order, if orders of different periods are kept apart */
export const createOrderCounter = (periodOf?: (order: OrderSummary) => string | null): OrderCounter => {
  const groups = new Map<string, Group>();
  const unreadable: UnreadableOrder[] = [];
  return {
    add(order) {
      const problem = addToGroup(groups, order, periodOf && { period: periodOf(order) });
      if (problem) unreadable.push({ id: order.id, field: problem, value: order[problem] });
    },
    result: () => ({
      groups: [...groups.values()].map(({ units, ...group }) => ({ ...group, sum: fromMinorUnits(units) })),
      unreadable: [...unreadable],
    }),
  };
};

/** Counts and exact sums of these orders, in the format of `totals`. */
export const sumOrders = (orders: Iterable<OrderSummary>): OrderSums => {
  const counter = createOrderCounter();
  for (const order of orders) counter.add(order);
  return counter.result();
};

type Group = Omit<TotalsGroup, 'sum'> & { units: bigint };

/** @returns the field that excluded the amount from the sum */
const addToGroup = (
  groups: Map<string, Group>,
  order: OrderSummary,
  period: { period: string | null } | undefined,
): 'gesamtpreis_brutto' | 'waehrung' | undefined => {
  const states = {
    ...period,
    waehrung: textOf(order.waehrung),
    status: textOf(order.status),
    zahlungsstatus: textOf(order.zahlungsstatus),
    lieferstatus: textOf(order.lieferstatus),
  };
  const key = JSON.stringify(states);
  const group = groups.get(key) ?? { ...states, count: 0, units: 0n, unreadable: 0 };
  groups.set(key, group);
  group.count += 1;
  // Amounts without a currency may be in different ones.
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

/** A field that groups can be combined by, besides the currency. */
type State = 'period' | 'status' | 'zahlungsstatus' | 'lieferstatus';

/** Sums by currency and the chosen states. */
export type CombinedGroup<By extends State = never> = Omit<TotalsGroup, Exclude<State, By>>;

/**
 * Adds up groups of `totals` or `sumOrders` that differ only in states you don't need. Currencies stay apart.
 * @param by the states to keep; none for one sum per currency
 * @returns exact decimal strings and counts, in the order of the first group of each
 */
export const combineGroups = <By extends State = never>(
  groups: Iterable<TotalsGroup>,
  by: readonly By[] = [],
): CombinedGroup<By>[] => {
  const combined = new Map<string, TotalsGroup>();
  for (const { waehrung, count, sum, unreadable, ...states } of groups) {
    const kept = Object.fromEntries(by.map((field) => [field, states[field]]));
    const key = JSON.stringify([waehrung, ...by.map((field) => states[field])]);
    const before = combined.get(key);
    combined.set(key, {
      waehrung,
      ...kept,
      count: count + (before?.count ?? 0),
      sum: fromMinorUnits(toMinorUnits(sum) + toMinorUnits(before?.sum ?? '0.00')),
      unreadable: unreadable + (before?.unreadable ?? 0),
    } as TotalsGroup);
  }
  return [...combined.values()];
};
