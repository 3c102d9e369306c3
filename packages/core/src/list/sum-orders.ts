import { fromMinorUnits, toMinorUnits } from '../model/money.ts';
import type { OrderSummary } from '../model/order.ts';

/** Orders with the same currency and the same three states; null stands for a missing value. */
export interface TotalsGroup {
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

/** @param start the counts so far */
export const createOrderCounter = (start: OrderSums = { groups: [], unreadable: [] }): OrderCounter => {
  const groups = new Map<string, Group>();
  for (const { sum, ...group } of start.groups) groups.set(keyOf(group), { ...group, units: toMinorUnits(sum) });
  const unreadable = [...start.unreadable];
  return {
    add(order) {
      const problem = addToGroup(groups, order);
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

type States = Pick<TotalsGroup, 'waehrung' | 'status' | 'zahlungsstatus' | 'lieferstatus'>;
type Group = Omit<TotalsGroup, 'sum'> & { units: bigint };

/** @returns the field that excluded the amount from the sum */
const addToGroup = (groups: Map<string, Group>, order: OrderSummary): 'gesamtpreis_brutto' | 'waehrung' | undefined => {
  const states = {
    waehrung: textOf(order.waehrung),
    status: textOf(order.status),
    zahlungsstatus: textOf(order.zahlungsstatus),
    lieferstatus: textOf(order.lieferstatus),
  };
  const key = keyOf(states);
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

const keyOf = ({ waehrung, status, zahlungsstatus, lieferstatus }: States): string =>
  JSON.stringify([waehrung, status, zahlungsstatus, lieferstatus]);

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
