import type { Priority } from '../base/call-options.ts';

/** The lanes of the queue, the first served first: interactive, background with the reserve, background, bulk. */
const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];

/** Items in these lanes leave the reserve to the others. */
export const leavesReserve = (lane: Lane): boolean => lane >= 2;

export const laneOf = (priority: Priority, useReserve = false): Lane => {
  if (priority === 'interactive') return 0;
  if (priority === 'background') return useReserve ? 1 : 2;
  return 3;
};

export interface Queued {
  readonly lane: Lane;
  /** Within a lane, consumers take turns; compared by identity. */
  readonly consumer?: unknown;
}

export interface Queue<Item extends Queued> {
  /** What waits, by lane, each lane in the order in which it is served. */
  readonly waiting: readonly Item[][];
  /** How many items from earlier lanes were served while each lane waited. */
  readonly passed: number[];
  /** Adds an item to the round in which its consumer has its next turn. */
  enqueue(item: Item): void;
  /** False if the item is no longer in the queue. */
  leave(item: Item): boolean;
  /** The item that is served next, of lanes that are open. */
  next(isOpen?: (lane: Lane) => boolean): Item | undefined;
  /** Removes an item because it is served. */
  serve(item: Item): void;
  /** Every item, in the order in which they are served if no other arrives. */
  inOrder(): Item[];
}

/** After this many items from earlier lanes, a waiting lane is served once: a busy lane never stops the others. */
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
