import { createPrefixSums } from './prefix-sums.ts';

/** Those of one consumer who wait, in order of arrival, and its place in the round. */
interface Turn<Item> {
  consumer: unknown;
  first: LanePlace<Item> | undefined;
  last: LanePlace<Item> | undefined;
  size: number;
  left: number;
  /** Grows along the round. */
  serial: number;
  previous: Turn<Item> | undefined;
  next: Turn<Item> | undefined;
}

/** Opaque to everyone but the lane. */
export interface LanePlace<Item> {
  readonly item: Item;
  readonly turn: Turn<Item>;
  isTaken: boolean;
  previous: LanePlace<Item> | undefined;
  next: LanePlace<Item> | undefined;
  indexAtFirst: number;
  leftBefore: number;
}

export interface FairLane<Item> {
  /** @param consumer whose item it is, compared by identity */
  add(item: Item, consumer: unknown): LanePlace<Item>;
  /** False when the item had left before. */
  remove(place: LanePlace<Item>): boolean;
  /** Removes and returns the item that is served next. */
  take(): Item | undefined;
  /** How many of this lane are served before this one, as of now: at most one per other consumer too many. */
  ahead(place: LanePlace<Item>): number;
  size(): number;
}

/**
 * A queue in which consumers take turns: each has its own queue in order of arrival, and whoever was served goes to the
 * end of the round. Adding and taking cost the same however many wait; `ahead` takes logarithmic time.
 */
export const createFairLane = <Item>(): FairLane<Item> => {
  const turns = new Map<unknown, Turn<Item>>();
  /** By index, how many consumers have an item there in their queue: round `index` serves so many. */
  const rounds = createPrefixSums();
  let head: Turn<Item> | undefined;
  let tail: Turn<Item> | undefined;
  let size = 0;
  let serials = 0;

  const append = (turn: Turn<Item>): void => {
    turn.serial = ++serials;
    turn.previous = tail;
    turn.next = undefined;
    if (tail) tail.next = turn;
    else head = turn;
    tail = turn;
  };

  const unlink = ({ previous, next }: Turn<Item>): void => {
    if (previous) previous.next = next;
    else head = next;
    if (next) next.previous = previous;
    else tail = previous;
  };

  const open = (consumer: unknown): Turn<Item> => {
    const turn: Turn<Item> = {
      consumer,
      first: undefined,
      last: undefined,
      size: 0,
      left: 0,
      serial: 0,
      previous: undefined,
      next: undefined,
    };
    turns.set(consumer, turn);
    append(turn);
    return turn;
  };

  const remove = (place: LanePlace<Item>): boolean => {
    if (!place.isTaken) return false;
    const { turn, previous, next } = place;
    if (previous) previous.next = next;
    else turn.first = next;
    if (next) next.previous = previous;
    else turn.last = previous;
    place.isTaken = false;
    turn.size -= 1;
    turn.left += 1;
    size -= 1;
    rounds.add(turn.size, -1);
    if (turn.size === 0) {
      unlink(turn);
      turns.delete(turn.consumer);
    }
    return true;
  };

  return {
    add(item, consumer) {
      const turn = turns.get(consumer) ?? open(consumer);
      const place: LanePlace<Item> = {
        item,
        turn,
        isTaken: true,
        previous: turn.last,
        next: undefined,
        indexAtFirst: turn.size,
        leftBefore: turn.left,
      };
      if (turn.last) turn.last.next = place;
      else turn.first = place;
      turn.last = place;
      rounds.add(turn.size, 1);
      turn.size += 1;
      size += 1;
      return place;
    },
    remove,
    take() {
      const turn = head;
      const place = turn?.first;
      if (!turn || !place) return undefined;
      remove(place);
      if (turn.size > 0) {
        unlink(turn);
        append(turn);
      }
      return place.item;
    },
    ahead({ turn, indexAtFirst, leftBefore }) {
      const index = Math.max(0, indexAtFirst - (turn.left - leftBefore));
      const earlierRounds = rounds.before(index);
      const sameRound = rounds.before(index + 1) - earlierRounds - 1;
      return earlierRounds + Math.max(0, Math.min(sameRound, turn.serial - (head?.serial ?? turn.serial)));
    },
    size: () => size,
  };
};
