export interface AbortWatch<Item> {
  add(signal: AbortSignal | undefined, item: Item): void;
  remove(signal: AbortSignal | undefined, item: Item): void;
}

/** One listener per signal: to add one to a signal takes the longer the more it has. */
export const createAbortWatch = <Item>(
  onAbort: (signal: AbortSignal, items: ReadonlySet<Item>) => void,
): AbortWatch<Item> => {
  const watched = new Map<AbortSignal, { items: Set<Item>; listener(): void }>();

  return {
    add(signal, item) {
      if (!signal) return;
      const known = watched.get(signal);
      if (known) {
        known.items.add(item);
        return;
      }
      const items = new Set([item]);
      const listener = () => {
        watched.delete(signal);
        onAbort(signal, items);
      };
      watched.set(signal, { items, listener });
      signal.addEventListener('abort', listener, { once: true });
    },
    remove(signal, item) {
      const known = signal && watched.get(signal);
      if (!known?.items.delete(item) || known.items.size > 0) return;
      signal?.removeEventListener('abort', known.listener);
      if (signal) watched.delete(signal);
    },
  };
};
