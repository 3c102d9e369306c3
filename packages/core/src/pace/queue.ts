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

/** What waits, by lane, each lane in the order in which it is served. */
export interface Queue<Item extends Queued> {
  readonly lanes: readonly Item[][];
  /** How many items from earlier lanes were served while each lane waited. */
  readonly passed: number[];
}

/** After this many items from earlier lanes, a waiting lane is served once: a busy lane never stops the others. */
export const maxPassed = 8;

export const createQueue = <Item extends Queued>(): Queue<Item> => ({
  lanes: lanes.map(() => []),
  passed: lanes.map(() => 0),
});

const laneIn = <Item extends Queued>({ lanes }: Queue<Item>, lane: Lane): Item[] => lanes[lane] as Item[];

/** Adds an item to the round in which its consumer has its next turn. */
export const enqueue = <Item extends Queued>(queue: Queue<Item>, item: Item): void => {
  const lane = laneIn(queue, item.lane);
  const own = lane.filter(({ consumer }) => consumer === item.consumer).length;
  const rounds = new Map<unknown, number>();
  const later = lane.findIndex(({ consumer }) => {
    const round = rounds.get(consumer) ?? 0;
    rounds.set(consumer, round + 1);
    return round > own;
  });
  lane.splice(later < 0 ? lane.length : later, 0, item);
};

/** False if the item is no longer in the queue. */
export const leave = <Item extends Queued>(queue: Queue<Item>, item: Item): boolean => {
  const lane = laneIn(queue, item.lane);
  const index = lane.indexOf(item);
  if (index >= 0) lane.splice(index, 1);
  return index >= 0;
};

/** The lane that is served next, of those that are open and hold an item. */
export const nextLane = <Item extends Queued>(
  queue: Queue<Item>,
  isOpen: (lane: Lane) => boolean = () => true,
): Lane | undefined => {
  const open = lanes.filter((lane) => laneIn(queue, lane).length > 0 && isOpen(lane));
  return open.find((lane) => (queue.passed[lane] ?? 0) >= maxPassed) ?? open[0];
};

/** Removes and returns the next item of a lane. */
export const serve = <Item extends Queued>(queue: Queue<Item>, lane: Lane): Item | undefined => {
  for (const later of lanes.slice(lane + 1)) {
    queue.passed[later] = laneIn(queue, later).length > 0 ? (queue.passed[later] ?? 0) + 1 : 0;
  }
  queue.passed[lane] = 0;
  return laneIn(queue, lane).shift();
};

/** Every item, in the order in which they are served if no other arrives. */
export const inOrder = <Item extends Queued>(queue: Queue<Item>): Item[] => {
  const copy: Queue<Item> = { lanes: queue.lanes.map((lane) => [...lane]), passed: [...queue.passed] };
  const order: Item[] = [];
  for (let lane = nextLane(copy); lane !== undefined; lane = nextLane(copy)) order.push(serve(copy, lane) as Item);
  return order;
};
