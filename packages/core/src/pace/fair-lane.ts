import { createPrefixSums } from './prefix-sums.ts';

/** The waiting items of one consumer, in order of arrival, and its place in the round. */
interface Turn<Item> {
  consumer: unknown;
  first: Place<Item> | undefined;
  last: Place<Item> | undefined;
  size: number;
  /** How many items have left, served or not. */
  left: number;
  /** Increases along the round. */
  serial: number;
  previous: Turn<Item> | undefined;
  next: Turn<Item> | undefined;
}

/** What the lane stores for a waiting item. Opaque to others, except for the item. */
export interface Place<Item> {
  readonly item: Item;
  readonly lane: number;
  /** Undefined once the item has left. */
  turn: Turn<Item> | undefined;
  previous: Place<Item> | undefined;
  next: Place<Item> | undefined;
  /** How many of its consumer arrived before it, since the turn was opened. */
  readonly serial: number;
}

export const isInLane = ({ turn }: Place<unknown>): boolean => turn !== undefined;

export interface FairLane<Item> {
  /** @param consumer owner of the item, compared by identity */
  add(item: Item, consumer: unknown): Place<Item>;
  /** False if the item had already left. */
  remove(place: Place<Item>): boolean;
  /** Removes and returns the next item to serve. */
  take(): Place<Item> | undefined;
  /** How many items of this lane are currently ahead: at most one too many per other consumer. */
  ahead(place: Place<Item>): number;
  size(): number;
}

/**
 * A queue in which consumers take turns: each has its own queue in order of arrival and goes to the end of the round
 * once served. Adding and taking cost the same for any length; `ahead` takes logarithmic time.
 * @param lane its number among others, stored on each place
 */
export const createFairLane = <Item>(lane = 0): FairLane<Item> => {
  const turns = new Map<unknown, Turn<Item>>();
  /** By index, how many consumers have an item there in their queue: round `index` serves that many. */
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

  const remove = (place: Place<Item>): boolean => {
    const { turn, previous, next } = place;
    if (!turn) return false;
    if (previous) previous.next = next;
    else turn.first = next;
    if (next) next.previous = previous;
    else turn.last = previous;
    // A retained place must not retain the whole queue.
    place.turn = place.previous = place.next = undefined;
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
      const place: Place<Item> = {
        item,
        lane,
        turn,
        previous: turn.last,
        next: undefined,
        serial: turn.size + turn.left,
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
      return place;
    },
    ahead({ turn, serial }) {
      if (!turn) return 0;
      const index = Math.max(0, serial - turn.left);
      const earlierRounds = rounds.before(index);
      const sameRound = rounds.before(index + 1) - earlierRounds - 1;
      return earlierRounds + Math.max(0, Math.min(sameRound, turn.serial - (head?.serial ?? turn.serial)));
    },
    size: () => size,
  };
};
