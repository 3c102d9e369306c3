export interface Agenda<Item> {
  add(at: number, item: Item): void;
  /** The earliest item that is still needed. */
  first(): { at: number; item: Item } | undefined;
}

/** Items by their time, in a binary heap. Items no longer needed are dropped when they come up or accumulate. */
export const createAgenda = <Item>(isWanted: (item: Item) => boolean): Agenda<Item> => {
  let heap: { at: number; item: Item }[] = [];
  let tidyAt = 64;

  const atOf = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY;

  const swap = (one: number, other: number): void => {
    const entry = heap[one] as { at: number; item: Item };
    heap[one] = heap[other] as { at: number; item: Item };
    heap[other] = entry;
  };

  const sinkFirst = (): void => {
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const least = atOf(right) < atOf(left) ? right : left;
      if (atOf(least) >= atOf(index)) return;
      swap(index, least);
      index = least;
    }
  };

  const dropFirst = (): void => {
    const last = heap.pop();
    if (heap.length === 0 || !last) return;
    heap[0] = last;
    sinkFirst();
  };

  const tidy = (): void => {
    // A sorted array is a heap too.
    heap = heap.filter(({ item }) => isWanted(item)).sort((one, other) => one.at - other.at);
    tidyAt = Math.max(64, 2 * heap.length);
  };

  return {
    add(at, item) {
      if (at === Number.POSITIVE_INFINITY) return;
      if (heap.length >= tidyAt) tidy();
      let index = heap.push({ at, item }) - 1;
      for (let parent = (index - 1) >> 1; index > 0 && atOf(parent) > at; parent = (index - 1) >> 1) {
        swap(index, parent);
        index = parent;
      }
    },
    first() {
      while (heap[0] && !isWanted(heap[0].item)) dropFirst();
      return heap[0];
    },
  };
};
