import { createFairLane, type Place } from './fair-lane.ts';

export interface WaitQueue<Item> {
  /**
   * @param lane 0 is served first, then 1, and so on
   * @param consumer within a lane, consumers take turns; each is served in order of arrival
   */
  add(item: Item, lane: number, consumer: unknown): Place<Item>;
  /** False if the item had already left. */
  remove(place: Place<Item>): boolean;
  /** The lane that is served next, of those that are open and hold an item. */
  next(isOpen: (lane: number) => boolean): number | undefined;
  /** Removes and returns the next of a lane. */
  take(lane: number): Place<Item> | undefined;
  /** How many items are currently expected to be served first. */
  ahead(place: Place<Item>): number;
  /** How many items wait, in all lanes or in this one. */
  size(lane?: number): number;
}

/** After this many items from earlier lanes, a waiting lane gets a turn: a busy lane never stops others. */
export const maxPassed = 8;

/**
 * A queue of several lanes. Each operation costs the same for any length, except `ahead`, which takes logarithmic time.
 */
export const createWaitQueue = <Item>(count: number): WaitQueue<Item> => {
  const lanes = Array.from({ length: count }, (_, lane) => ({ ...createFairLane<Item>(lane), passed: 0 }));
  type Lane = (typeof lanes)[number];
  const laneOf = (index: number): Lane => lanes[index] as Lane;

  return {
    add: (item, lane, consumer) => laneOf(lane).add(item, consumer),
    remove: (place) => laneOf(place.lane).remove(place),
    next(isOpen) {
      let first: number | undefined;
      for (const [index, { size, passed }] of lanes.entries()) {
        if (size() === 0 || !isOpen(index)) continue;
        if (passed >= maxPassed) return index;
        first ??= index;
      }
      return first;
    },
    take(index) {
      for (const lane of lanes.slice(index + 1)) lane.passed = lane.size() > 0 ? lane.passed + 1 : 0;
      laneOf(index).passed = 0;
      return laneOf(index).take();
    },
    ahead(place) {
      const own = laneOf(place.lane).ahead(place);
      return lanes.reduce((sum, { size }, index) => {
        if (index < place.lane) return sum + Math.min(size(), maxPassed * (own + 1));
        if (index > place.lane) return sum + Math.min(size(), Math.floor(own / maxPassed));
        return sum;
      }, own);
    },
    size: (lane) => (lane === undefined ? lanes.reduce((sum, { size }) => sum + size(), 0) : laneOf(lane).size()),
  };
};
