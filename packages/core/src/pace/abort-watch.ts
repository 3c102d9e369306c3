export interface AbortWatch<Item> {
  add(signal: AbortSignal | undefined, item: Item): void;
  remove(signal: AbortSignal | undefined, item: Item): void;
}

/** One listener per signal: adding a listener takes longer the more the signal has. */
export const createAbortWatch = <Item>(
  onAbort: (signal: AbortSignal, items: Iterable<Item>) => void,
): AbortWatch<Item> => {
  /** Most signals have one item, which needs no set. */
  const watched = new Map<AbortSignal, Item | Set<Item>>();

  const listener = ({ target }: Event): void => {
    const signal = target as AbortSignal;
    const items = watched.get(signal);
    watched.delete(signal);
    if (items) onAbort(signal, items instanceof Set ? items : [items]);
  };

  const forget = (signal: AbortSignal): void => {
    watched.delete(signal);
    signal.removeEventListener('abort', listener);
  };

  return {
    add(signal, item) {
      if (!signal) return;
      const known = watched.get(signal);
      if (known instanceof Set) known.add(item);
      else watched.set(signal, known === undefined ? item : new Set([known, item]));
      if (known === undefined) signal.addEventListener('abort', listener, once);
    },
    remove(signal, item) {
      const known = signal && watched.get(signal);
      if (!signal || known === undefined) return;
      if (known === item) forget(signal);
      else if (known instanceof Set && known.delete(item) && known.size === 0) forget(signal);
    },
  };
};

const once = { once: true };
