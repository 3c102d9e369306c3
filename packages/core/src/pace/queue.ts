import type { Priority } from '../base/call-options.ts';
import { type Stops, stopError, unlessAborted } from '../base/stops.ts';
import type { Permit } from './store.ts';

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

/** A waiting priority of which no item was served for this long comes first, ms. */
export const maxUnservedMs = 90_000;

/** The waiting items of one priority. */
interface Lane<Item> {
  /** The items in the order in which they are served. */
  items: Set<Item>;
  /** How many items of higher priority were served while this priority waited. */
  passed: number;
  /** Time since which this priority has waited without being served. */
  since: number;
}

export type Queue<Item extends Queued> = ReturnType<typeof createQueue<Item>>;

/**
 * Decides who is next: a higher priority first; within a priority, the consumers take turns.
 * @param now milliseconds on a monotonic clock
 */
export const createQueue = <Item extends Queued>(now: () => number) => {
  const lanes = priorities.map((): Lane<Item> => ({ items: new Set(), passed: 0, since: 0 }));
  const laneOf = (priority: Priority) => lanes[priorities.indexOf(priority)] as Lane<Item>;
  const startWait = (lane: Lane<Item>): void => {
    lane.passed = 0;
    lane.since = now();
  };
  /** Both `isDue` and `dueAt` compare with this very number: a difference of rounding would keep the pacer awake. */
  const dueAtOf = ({ items, since }: Lane<Item>): number => (items.size > 0 ? since + maxUnservedMs : Infinity);
  const isDue = (lane: Lane<Item>): boolean => lane.passed >= maxPassed || now() >= dueAtOf(lane);
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
    /** Returns the item to serve next, of those for which `isOpen` is true. */
    next(isOpen: (item: Item) => boolean): Item | undefined {
      for (const { items } of [...lanes.filter(isDue), ...lanes]) {
        for (const item of items) if (isOpen(item)) return item;
      }
      return undefined;
    },
    /** Removes an item that is served; the others of its consumer go behind all others. Returns false as `leave` does. */
    serve(item: Item): boolean {
      if (!leave(item)) return false;
      const lane = laneOf(item.priority);
      startWait(lane);
      for (const lower of lanes.slice(lanes.indexOf(lane) + 1)) lower.passed += 1;
      const own = [...lane.items].filter(({ consumer }) => consumer === item.consumer);
      // Usually, a long queue is of one consumer, and stays as it is.
      if (own.length < lane.items.size) for (const other of own) if (lane.items.delete(other)) lane.items.add(other);
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

/** A request for a permit. Its stops end the wait. */
export interface PermitRequest extends Queued, Partial<Stops> {
  /** Whether a background request may use the reserve. */
  useReserve?: boolean | undefined;
  /**
   * Latest time at which a wait for the rate limit may end. The request is rejected as soon as the next permit is known
   * to come later. Waits for other reasons do not count.
   */
  patientUntil: number;
  /** Time at which the wait must end, whatever the reason for the wait. */
  deadline: number;
  /** The timeout from which this deadline was computed, ms. */
  deadlineMs: number;
  /** Called once, if the limit delays the request, with the time until the next permit, ms: the least that it waits. */
  onWait?: ((waitMs: number) => void) | undefined;
}

/** A request in the queue. */
export interface Waiting extends PermitRequest {
  /** Serves the request: resolves it with its permit. Returns false if it no longer waits. */
  grant(permit: Permit): boolean;
  /** Removes the request from the queue, and rejects it. */
  reject(error: unknown): void;
}

/**
 * Puts a request into the queue. Resolves with its permit; rejects when the pacer rejects it, or as soon as one of its
 * signals aborts.
 * @param check rejects the new request if it cannot wait long enough, so that it starts no timer
 * @param serve serves the queue as far as possible now
 */
export const waitIn = (
  queue: Queue<Waiting>,
  request: PermitRequest,
  check: (added: Waiting) => void,
  serve: () => void,
): Promise<Permit> => {
  const { signal, closing } = request;
  let own: Waiting;
  let isGranted = false;
  const permit = new Promise<Permit>((resolve, reject) => {
    own = {
      ...request,
      grant(permit) {
        isGranted = queue.serve(own);
        if (isGranted) resolve(permit);
        return isGranted;
      },
      reject(error) {
        if (!queue.leave(own)) return;
        reject(error);
        serve();
      },
    };
    queue.enqueue(own);
    check(own);
    serve();
  });
  const leave = (): unknown => {
    queue.leave(own);
    serve();
    return stopError(request);
  };
  // Most requests are served at once, without listeners.
  return isGranted ? permit : unlessAborted(unlessAborted(permit, signal, leave), closing, leave);
};
