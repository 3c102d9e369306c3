/** A place in the queue; opaque to everyone but the queue. */
export interface Place<Item> {
  readonly item: Item;
  readonly lane: number;
  isTaken: boolean;
  previous: Place<Item> | undefined;
  next: Place<Item> | undefined;
  aheadAtFirst: number;
  leftBefore: number;
}

export interface WaitQueue<Item> {
  /** @param lane 0 is served first, then 1, and so on; within a lane in order of arrival */
  add(item: Item, lane: number): Place<Item>;
  /** False when the item had left before. */
  remove(place: Place<Item>): boolean;
  /** Removes and returns the item that is served next. */
  take(): Item | undefined;
  /** How many are served before this one: exact until an item behind it leaves or one in a lane before it arrives, then fewer. */
  ahead(place: Place<Item>): number;
  size(): number;
}

interface Lane<Item> {
  first: Place<Item> | undefined;
  last: Place<Item> | undefined;
  size: number;
}

/** A queue with lanes in which each step costs the same, however many wait. */
export const createWaitQueue = <Item>(lanes: number): WaitQueue<Item> => {
  const all = Array.from({ length: lanes }, (): Lane<Item> => ({ first: undefined, last: undefined, size: 0 }));
  let left = 0;

  const remove = (place: Place<Item>): boolean => {
    const lane = all[place.lane];
    if (!place.isTaken || !lane) return false;
    const { previous, next } = place;
    if (previous) previous.next = next;
    else lane.first = next;
    if (next) next.previous = previous;
    else lane.last = previous;
    place.isTaken = false;
    lane.size -= 1;
    left += 1;
    return true;
  };

  return {
    add(item, index) {
      const lane = all[index] as Lane<Item>;
      const aheadAtFirst = all.slice(0, index + 1).reduce((sum, { size }) => sum + size, 0);
      const place: Place<Item> = {
        item,
        lane: index,
        isTaken: true,
        previous: lane.last,
        next: undefined,
        aheadAtFirst,
        leftBefore: left,
      };
      if (lane.last) lane.last.next = place;
      else lane.first = place;
      lane.last = place;
      lane.size += 1;
      return place;
    },
    remove,
    take() {
      const place = all.find(({ first }) => first)?.first;
      if (!place) return undefined;
      remove(place);
      return place.item;
    },
    ahead: ({ aheadAtFirst, leftBefore }) => Math.max(0, aheadAtFirst - (left - leftBefore)),
    size: () => all.reduce((sum, { size }) => sum + size, 0),
  };
};
