import { fromMinorUnits, toMinorUnits } from '../model/money.ts';
import type { TotalsGroup } from './sum-orders.ts';

/** A field that groups can be combined by, besides the currency. */
type State = 'status' | 'zahlungsstatus' | 'lieferstatus';

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
