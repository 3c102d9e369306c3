import type { Priority } from '../base/call-options.ts';

export const priorities = ['interactive', 'background', 'bulk'] as const satisfies readonly Priority[];

export interface Queued {
  readonly priority: Priority;
  /** The consumers of one priority take turns; they are compared by identity. */
  readonly consumer?: unknown;
}

/**
 * After this many items of higher priority, one item of a waiting priority is served: of ten permits, each of the two
 * lower priorities gets one.
 */
export const maxPassed = 8;

/** A waiting priority comes first once none of its items has been served for this long, ms. */
export const maxUnservedMs = 90_000;

/**
 * Decides who is next: a higher priority first; within a priority, the consumers take turns.
 * @param now milliseconds on a monotonic clock
 */
export const createQueue = <Item extends Queued>(now: () => number) => {
  /** One for each priority. */
  const lanes = priorities.map(() => ({
    /** The items in the order in which they are served. */
    items: new Set<Item>(),
    /** How many items of higher priority were served while this priority waited. */
    passed: 0,
    /** Time since which this priority has waited without being served. */
    since: 0,
  }));
  type Lane = (typeof lanes)[number];
  const laneOf = (priority: Priority) => lanes[priorities.indexOf(priority)] as Lane;
  const startWait = (lane: Lane): void => {
    lane.passed = 0;
    lane.since = now();
  };
  /** `isDue` and `dueAt` compare with exactly this number: a rounding difference would keep the pacer awake. */
  const dueAtOf = ({ items, since }: Lane): number => (items.size > 0 ? since + maxUnservedMs : Infinity);
  const isDue = (lane: Lane): boolean => lane.passed >= maxPassed || now() >= dueAtOf(lane);
  /** Removes an item. Returns false if it is no longer in the queue. */
  const leave = (item: Item): boolean => laneOf(item.priority).items.delete(item);

  return {
    isEmpty: (): boolean => lanes.every(({ items }) => items.size === 0),
    /** Returns all waiting items. */
    items: (): Item[] => lanes.flatMap(({ items }) => [...items]),
    /** Adds an item behind all others. */
    enqueue(item: Item): void {
      const lane = laneOf(item.priority);
      if (lane.items.size === 0) startWait(lane);
      lane.items.add(item);
    },
    leave,
    /** Whether an item is waiting. */
    has: (item: Item): boolean => laneOf(item.priority).items.has(item),
    /** Returns the item to serve next, of those for which `isOpen` is true. */
    next(isOpen: (item: Item) => boolean): Item | undefined {
      for (const { items } of [...lanes.filter(isDue), ...lanes]) {
        for (const item of items) if (isOpen(item)) return item;
      }
      return undefined;
    },
    /**
     * Removes an item that is being served, and moves the other items of its consumer behind all others. Returns false
     * as `leave` does.
     */
    serve(item: Item): boolean {
      if (!leave(item)) return false;
      const lane = laneOf(item.priority);
      startWait(lane);
      for (const lower of lanes.slice(lanes.indexOf(lane) + 1)) lower.passed += 1;
      const own = [...lane.items].filter(({ consumer }) => consumer === item.consumer);
      // A long queue usually has one consumer, and stays as it is.
      if (own.length === lane.items.size) return true;
      for (const other of own) {
        lane.items.delete(other);
        lane.items.add(other);
      }
      return true;
    },
    /**
     * Whether one item of this priority comes first, because so many items of higher priority were served, or because
     * none of its own was served for so long: other processes may use up the permits.
     */
    isDue: (priority: Priority): boolean => isDue(laneOf(priority)),
    /** Returns the time from which a waiting priority comes first; Infinity if none waits. */
    dueAt: (): number => Math.min(...lanes.map(dueAtOf)),
  };
};
