import type { Priority } from '../base/call-options.ts';

/**
 * The four priorities of the queue, called lanes, highest first: interactive, background with the reserve, background,
 * bulk.
 */
const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];

/** Whether items of this priority leave the reserve to others. */
export const leavesReserve = (lane: Lane): boolean => lane >= 2;

export const laneOf = (priority: Priority, useReserve = false): Lane => {
  if (priority === 'interactive') return 0;
  if (priority === 'background') return useReserve ? 1 : 2;
  return 3;
};

export interface Queued {
  readonly lane: Lane;
  /** The consumers of one priority take turns; they are compared by identity. */
  readonly consumer?: unknown;
}

export interface Queue<Item extends Queued> {
  /** The waiting items by priority, each priority in the order in which it is served. */
  readonly waiting: readonly Item[][];
  /** For each priority, how many items of higher priority were served while that priority waited. */
  readonly passed: number[];
  /**
   * Adds an item. Consumers take turns in rounds of one item each: the item joins the first round without an item of
   * the same consumer.
   */
  enqueue(item: Item): void;
  /** Removes an item. Returns false if it is no longer in the queue. */
  leave(item: Item): boolean;
  /** Returns the item to serve next, from the priorities for which `isOpen` is true. */
  next(isOpen?: (lane: Lane) => boolean): Item | undefined;
  /** Removes the item that is served now, and counts it in `passed`. */
  serve(item: Item): void;
  /** Returns all items in the order in which they are served if no other item arrives. */
  inOrder(): Item[];
}

/**
 * After this many items of higher priority, one item of a waiting priority is served, so that a busy priority never
 * blocks the others.
 */
export const maxPassed = 8;

export const createQueue = <Item extends Queued>(from?: Queue<Item>): Queue<Item> => {
  const waiting = lanes.map((lane) => [...(from?.waiting[lane] ?? [])]);
  const passed = lanes.map((lane) => from?.passed[lane] ?? 0);
  const laneWith = ({ lane }: Item): Item[] => waiting[lane] as Item[];

  const leave = (item: Item): boolean => {
    const lane = laneWith(item);
    const index = lane.indexOf(item);
    if (index >= 0) lane.splice(index, 1);
    return index >= 0;
  };

  return {
    waiting,
    passed,
    enqueue(item) {
      const lane = laneWith(item);
      const own = lane.filter(({ consumer }) => consumer === item.consumer).length;
      const rounds = new Map<unknown, number>();
      const later = lane.findIndex(({ consumer }) => {
        const round = rounds.get(consumer) ?? 0;
        rounds.set(consumer, round + 1);
        return round > own;
      });
      lane.splice(later < 0 ? lane.length : later, 0, item);
    },
    leave,
    next(isOpen = () => true) {
      const firsts = waiting.flatMap(([first]) => (first && isOpen(first.lane) ? [first] : []));
      return firsts.find(({ lane }) => (passed[lane] ?? 0) >= maxPassed) ?? firsts[0];
    },
    serve(item) {
      leave(item);
      waiting.forEach((others, lane) => {
        if (lane < item.lane) return;
        passed[lane] = lane > item.lane && others.length > 0 ? (passed[lane] ?? 0) + 1 : 0;
      });
    },
    inOrder() {
      const copy = createQueue<Item>(this);
      const order: Item[] = [];
      for (let next = copy.next(); next; next = copy.next()) {
        copy.serve(next);
        order.push(next);
      }
      return order;
    },
  };
};
