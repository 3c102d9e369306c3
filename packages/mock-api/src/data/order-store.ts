import { type Order, type OrderSummary, type Status, statuses } from './order.ts';
import type { OrderIds } from './order-ids.ts';
import { createdAtOf, idOf, type OrderSeed, runningOf, seedOrder, seedSummary, statusOf } from './seed.ts';

/** Changes made to an order. */
export type OrderChange = Partial<Pick<Order, 'status' | 'delivered' | 'paymentStatus' | 'deliveryStatus'>>;

export type Reorder = (run: OrderSummary[]) => OrderSummary[];

/** The orders of an account, newest first. */
export interface Orders {
  /** Number of orders, optionally with one status. */
  count(status?: Status): number;
  /** Orders `from` to `from + size`, optionally with one status. */
  page(from: number, size: number, status?: Status): OrderSummary[];
}

/** The orders of an account: computed from the seed, with changes and inserted orders applied. */
export interface OrderStore extends Orders {
  source: OrderSeed;
  /**
   * Orders `from` to `from + size`, by order date, newest first.
   * @param reorder sorts each run of orders with equal dates, passed in descending ID order
   */
  page(from: number, size: number, status?: Status, reorder?: Reorder): OrderSummary[];
  find(id: number): Order | undefined;
  /** @param make receives a free id @throws Error if another order has the ID of the new one */
  insert(make: (id: number) => Order): Order;
  change(id: number, change: OrderChange): OrderSummary | undefined;
  changes(): { id: number; change: OrderChange }[];
  inserted(): readonly Order[];
}

type List = Uint32Array<ArrayBuffer>;

/**
 * A slot is a storage index: below `source.count` for seeded orders, newest first, then one per inserted order.
 * A list contains slots by rank, 4 bytes per order. It is built on first use and then updated.
 */
export const createOrderStore = (source: OrderSeed, ids: OrderIds): OrderStore => {
  const changed = new Map<number, OrderChange>();
  const added: Order[] = [];
  /** Slots of inserted orders by id. */
  const slots = new Map<number, number>();
  let nextRunning = source.count;
  const lists = new Map<Status | 'all', List>();

  const insertedAt = (slot: number): Order | undefined =>
    slot < source.count ? undefined : added[slot - source.count];
  const summaryAt = (slot: number): OrderSummary => {
    const kept = insertedAt(slot);
    if (kept) return kept;
    const change = changed.get(slot);
    return change ? { ...seedSummary(source, slot), ...change } : seedSummary(source, slot);
  };
  const statusAt = (slot: number): Status =>
    insertedAt(slot)?.status ?? changed.get(slot)?.status ?? statusOf(source, slot);
  const createdAt = (slot: number): number => insertedAt(slot)?.createdAt ?? createdAtOf(source, slot);
  const idAt = (slot: number): number => insertedAt(slot)?.id ?? idOf(source, source.count - 1 - slot);
  const slotOf = (id: number): number => {
    const running = runningOf(source, id);
    return running >= 0 && running < source.count ? source.count - 1 - running : (slots.get(id) ?? -1);
  };

  /** Sorts newest first; equal dates by descending id. */
  const compare = (a: number, b: number): number => createdAt(b) - createdAt(a) || idAt(b) - idAt(a);
  /** First rank whose order doesn't sort before `slot`. */
  const rankOf = (list: List, slot: number): number => {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(list[middle] as number, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** Returns all slots by rank. Seeded slots are already sorted. */
  const allSlots = (): List => {
    const sorted = Array.from(added, (_, n) => source.count + n).sort(compare);
    const all = new Uint32Array(source.count + sorted.length);
    let seeded = 0;
    let next = 0;
    for (let rank = 0; rank < all.length; rank++) {
      const slot = sorted[next];
      const isNext = slot !== undefined && (seeded === source.count || compare(slot, seeded) < 0);
      all[rank] = isNext ? slot : seeded;
      if (isNext) next++;
      else seeded++;
    }
    return all;
  };
  const withSlot = (list: List, slot: number): List => {
    const rank = rankOf(list, slot);
    const longer = new Uint32Array(list.length + 1);
    longer.set(list.subarray(0, rank));
    longer[rank] = slot;
    longer.set(list.subarray(rank), rank + 1);
    return longer;
  };
  const withoutSlot = (list: List, slot: number): List => {
    const rank = rankOf(list, slot);
    const shorter = new Uint32Array(list.length - 1);
    shorter.set(list.subarray(0, rank));
    shorter.set(list.subarray(rank + 1), rank);
    return shorter;
  };
  const update = (name: Status | 'all', edit: (list: List) => List): void => {
    const list = lists.get(name);
    if (list) lists.set(name, edit(list));
  };
  const listOf = (name: Status | 'all'): List => {
    const known = lists.get(name);
    if (known) return known;
    if (name === 'all') {
      const all = allSlots();
      lists.set('all', all);
      return all;
    }
    const all = listOf('all');
    const ranked = { ausstehend: [], bezahlt: [], abgeschlossen: [], storniert: [] } as Record<Status, number[]>;
    for (const slot of all) ranked[statusAt(slot)].push(slot);
    for (const status of statuses) lists.set(status, Uint32Array.from(ranked[status]));
    return lists.get(name) as List;
  };

  const summaries = (list: List, from: number, end: number): OrderSummary[] => {
    const found: OrderSummary[] = [];
    for (let rank = from; rank < end; rank++) found.push(summaryAt(list[rank] as number));
    return found;
  };

  return {
    source,
    count: (status) => listOf(status ?? 'all').length,
    page(from, size, status, reorder) {
      const list = listOf(status ?? 'all');
      const end = Math.min(list.length, from + size);
      if (!reorder) return summaries(list, from, end);
      const sameRun = (a: number, b: number) => createdAt(list[a] as number) === createdAt(list[b] as number);
      let low = from;
      let high = end;
      while (low > 0 && low < list.length && sameRun(low - 1, low)) low--;
      while (high > from && high < list.length && sameRun(high - 1, high)) high++;
      const runs: OrderSummary[][] = [];
      for (const order of summaries(list, low, high)) {
        const run = runs.at(-1);
        if (run?.[0]?.createdAt === order.createdAt) run.push(order);
        else runs.push([order]);
      }
      return runs.flatMap(reorder).slice(from - low, end - low);
    },
    find(id) {
      const slot = slotOf(id);
      if (slot < 0) return undefined;
      return insertedAt(slot) ?? { ...seedOrder(source, slot), ...changed.get(slot) };
    },
    insert(make) {
      const slot = source.count + added.length;
      while (ids.isTaken(idOf(source, nextRunning))) nextRunning++;
      const order = make(idOf(source, nextRunning));
      ids.take(order.id);
      slots.set(order.id, slot);
      added.push(order);
      update('all', (list) => withSlot(list, slot));
      update(order.status, (list) => withSlot(list, slot));
      return order;
    },
    change(id, change) {
      const slot = slotOf(id);
      if (slot < 0) return undefined;
      const before = statusAt(slot);
      const kept = insertedAt(slot);
      if (kept) Object.assign(kept, change);
      else changed.set(slot, { ...changed.get(slot), ...change });
      if (statusAt(slot) !== before) {
        update(before, (list) => withoutSlot(list, slot));
        update(statusAt(slot), (list) => withSlot(list, slot));
      }
      return summaryAt(slot);
    },
    changes: () => Array.from(changed, ([slot, change]) => ({ id: idAt(slot), change: { ...change } })),
    inserted: () => added,
  };
};
