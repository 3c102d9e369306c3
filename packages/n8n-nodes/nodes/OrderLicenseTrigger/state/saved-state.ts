import type { StatusFilter } from '@order-license/core/portable';
import { readIds, type SavedIds, saveIds } from './id-list';
import type { AwaitedOrder, ListProgress, Mark, PaidBefore, TriggerState, WatchedOrder } from './trigger-state';

const version = 3;
const marks: readonly Mark[] = ['unmet', 'met', 'missing'];

/** The state as JSON. Orders are arrays of numbers, since there can be tens of thousands. */
interface SavedState {
  version: typeof version;
  account: string;
  credential: string;
  recent: { from: number; settled: number | null; seen: [id: string, created: number | null][] };
  /** `delivery`: null for a settled order, -1 minus the value for one that was read. */
  orders: [status: string, mark: number, delivery: number | null, ids: SavedIds][];
  lists: [status: StatusFilter, ...numbers: number[]][];
  unlistedCheckedAt: number;
  excessReportedAt: number;
  watchesCodes: boolean;
  awaited: [
    id: string,
    since: number,
    due: number | null,
    isUrgent: number,
    fingerprint: string,
    known: [position: string, codes: SavedIds][] | number,
  ][];
}

/** @returns undefined for a state without a baseline */
export const writeState = (state: TriggerState): string | undefined => {
  const { account, credential, recent, orders, lists, awaited, unlistedCheckedAt, excessReportedAt, watchesCodes } =
    state;
  if (!recent) return undefined;
  const saved: SavedState = {
    version,
    account,
    credential,
    recent: { from: recent.from, settled: recent.settled ?? null, seen: [...recent.seen] },
    orders: groupOrders(orders),
    lists: [...lists].map(([status, { page, pages, isKnown, credit, isSearched, tolerated }]) => {
      return [status, page, pages, Number(isKnown), Math.round(credit * 100) / 100, Number(isSearched), tolerated];
    }),
    unlistedCheckedAt,
    excessReportedAt,
    watchesCodes,
    awaited: [...awaited].map(([id, { since, due, isUrgent, fingerprint, known }]) => {
      const codes = known instanceof Map ? [...known].map(saveCodes) : known.delivery;
      return [id, since, Number.isFinite(due) ? due : null, Number(isUrgent), fingerprint, codes];
    }),
  };
  return JSON.stringify(saved);
};

const saveCodes = ([position, ids]: [string, Set<string>]): [string, SavedIds] => [position, saveIds(ids)];

/** @returns undefined for anything that this version did not write, such as the state of version 0.1 */
export const readState = (text: unknown): TriggerState | undefined => {
  if (typeof text !== 'string') return undefined;
  try {
    const saved = JSON.parse(text) as SavedState;
    return saved.version === version ? stateOf(saved) : undefined;
  } catch {
    return undefined;
  }
};

const stateOf = (saved: SavedState): TriggerState => ({
  account: saved.account,
  credential: saved.credential,
  recent: { ...saved.recent, settled: saved.recent.settled ?? undefined, seen: new Map(saved.recent.seen) },
  orders: new Map(
    saved.orders.flatMap(([status, mark, delivery, ids]) =>
      readIds(ids).map((id): [string, WatchedOrder] => {
        return [id, { status, mark: marks[mark] ?? 'unmet', before: readBefore(delivery) }];
      }),
    ),
  ),
  lists: new Map(
    saved.lists.map(([status, ...numbers]): [StatusFilter, ListProgress] => {
      const [page = 1, pages = 1, isKnown, credit = 0, isSearched, tolerated = 0] = numbers;
      return [status, { page, pages, isKnown: isKnown === 1, credit, isSearched: isSearched === 1, tolerated }];
    }),
  ),
  unlistedCheckedAt: saved.unlistedCheckedAt,
  excessReportedAt: saved.excessReportedAt,
  watchesCodes: saved.watchesCodes,
  awaited: new Map(
    saved.awaited.map(([id, since, due, isUrgent, fingerprint, codes]): [string, AwaitedOrder] => {
      const known =
        typeof codes === 'number'
          ? { delivery: codes }
          : new Map(codes.map(([position, ids]) => [position, new Set(readIds(ids))]));
      return [id, { since, due: due ?? Number.POSITIVE_INFINITY, isUrgent: isUrgent === 1, fingerprint, known }];
    }),
  ),
});

const saveBefore = ({ before }: WatchedOrder): number | null => {
  if (!before) return null;
  return before.isRead ? -1 - before.delivery : before.delivery;
};

const readBefore = (saved: number | null): PaidBefore | undefined => {
  if (saved === null) return undefined;
  return saved < 0 ? { delivery: -1 - saved, isRead: true } : { delivery: saved, isRead: false };
};

const groupOrders = (orders: TriggerState['orders']): SavedState['orders'] => {
  const groups = new Map<string, { first: WatchedOrder; ids: string[] }>();
  for (const [id, order] of orders) {
    const key = `${order.mark} ${saveBefore(order)} ${order.status}`;
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { first: order, ids: [id] });
  }
  return [...groups.values()].map(({ first, ids }) => {
    return [first.status, marks.indexOf(first.mark), saveBefore(first), saveIds(ids)];
  });
};
