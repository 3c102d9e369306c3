import type { Priority } from '../base/call-options.ts';

/** The lanes of the queue, the first served first: interactive, background with the reserve, background, bulk. */
export const lanes = [0, 1, 2, 3] as const;

export type Lane = (typeof lanes)[number];

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
  add(item: Item): void;
  /** False if the item is no longer in the queue. */
  remove(item: Item): boolean;
  /** The lane that is served next, of those that are open and hold an item. */
  nextLane(isOpen: (lane: Lane) => boolean): Lane | undefined;
  /** Removes and returns the next item of a lane. */
  take(lane: Lane): Item | undefined;
  /** How many items are expected to be served before each. */
  ahead(): Map<Item, number>;
  size(lane?: Lane): number;
  /** Visits the items; `visit` may remove them. */
  forEach(visit: (item: Item) => void): void;
}

/** After this many items from earlier lanes, a waiting lane is served once: a busy lane never stops the others. */
export const maxPassed = 8;

/** A queue of several lanes. Within a lane, consumers take turns, and each is served in order of arrival. */
export const createQueue = <Item extends Queued>(): Queue<Item> => {
  /** By consumer, in the order of their turns: a map keeps the order of insertion. */
  type Turns = Map<unknown, Item[]>;
  const state = lanes.map((lane) => ({ lane, turns: new Map() as Turns, size: 0, passed: 0 }));
  const at = (lane: Lane) => state[lane] as (typeof state)[number];

  const inOrder = function* (turns: Turns): Generator<Item> {
    for (let round = 0, isOver = false; !isOver; round++) {
      isOver = true;
      for (const { [round]: item } of turns.values()) {
        if (!item) continue;
        isOver = false;
        yield item;
      }
    }
  };

  /** Of the items in other lanes, those that are served before the one with `own` items of its own lane in front. */
  const fromOtherLanes = (lane: Lane, own: number): number =>
    state.reduce((sum, other) => {
      if (other.lane < lane) return sum + Math.min(other.size, maxPassed * (own + 1));
      if (other.lane > lane) return sum + Math.min(other.size, Math.floor(own / maxPassed));
      return sum;
    }, 0);

  return {
    add(item) {
      const { turns } = at(item.lane);
      const own = turns.get(item.consumer);
      if (own) own.push(item);
      else turns.set(item.consumer, [item]);
      at(item.lane).size += 1;
    },
    remove(item) {
      const lane = at(item.lane);
      const own = lane.turns.get(item.consumer) ?? [];
      const index = own.indexOf(item);
      if (index < 0) return false;
      own.splice(index, 1);
      lane.size -= 1;
      if (own.length === 0) lane.turns.delete(item.consumer);
      return true;
    },
    nextLane(isOpen) {
      const open = state.filter(({ lane, size }) => size > 0 && isOpen(lane));
      return (open.find(({ passed }) => passed >= maxPassed) ?? open[0])?.lane;
    },
    take(index) {
      const lane = at(index);
      for (const later of state.slice(index + 1)) later.passed = later.size > 0 ? later.passed + 1 : 0;
      lane.passed = 0;
      const [turn] = lane.turns;
      if (!turn) return undefined;
      const [consumer, own] = turn;
      const item = own.shift();
      lane.size -= 1;
      lane.turns.delete(consumer);
      if (own.length > 0) lane.turns.set(consumer, own); // at the end of the round
      return item;
    },
    ahead() {
      const places = new Map<Item, number>();
      for (const { lane, turns } of state) {
        let own = 0;
        for (const item of inOrder(turns)) places.set(item, own + fromOtherLanes(lane, own++));
      }
      return places;
    },
    size: (lane) => (lane === undefined ? state.reduce((sum, { size }) => sum + size, 0) : at(lane).size),
    forEach(visit) {
      for (const { turns } of state) for (const own of turns.values()) for (const item of [...own]) visit(item);
    },
  };
};
