import type { ChangesState } from '../base/changes-state.ts';
import { isObject } from '../base/checks.ts';
import { newState, type Watched, type WatchState } from './state.ts';

const version = 3;

type Run = [order: Watched, ids: SavedIds];

export const saveState = (state: WatchState): ChangesState => {
  const { orders } = state;
  const unlisted = new Map(orders);
  const runsOf = (ids: Set<string>): Run[] => {
    const runs: { order: Watched; ids: string[] }[] = [];
    for (const id of ids) {
      const order = orders.get(id) as Watched;
      const last = runs.at(-1);
      if (last && (last.order === order || JSON.stringify(last.order) === JSON.stringify(order))) last.ids.push(id);
      else runs.push({ order, ids: [id] });
      unlisted.delete(id);
    }
    return runs.map((run) => [run.order, saveIds(run.ids)]);
  };
  const encode = (_key: string, value: unknown): unknown => {
    if (value instanceof Set) return { runs: runsOf(value) };
    return value instanceof Map ? { pairs: [...value] } : value;
  };
  const { lists, silentSince, ...rest } = state;
  const text = JSON.stringify({ lists, ...rest, orders: unlisted }, encode);
  return { version, silentSince, state: JSON.parse(text) };
};

/** @returns undefined for anything that `saveState` did not return */
export const readState = (saved: unknown): WatchState | undefined => {
  const given = saved as ChangesState | null | undefined;
  if (given?.version !== version) return undefined;
  const listed = new Map<string, Watched>();
  const decode = (_key: string, value: { pairs?: [string, unknown][]; runs?: Run[] } | null): unknown => {
    if (value?.pairs) return new Map(value.pairs);
    if (!value?.runs) return value;
    const orders = value.runs.flatMap(([order, ids]) => readIds(ids).map((id) => [id, order] as const));
    for (const [id, order] of orders) listed.set(id, order);
    return new Set(orders.map(([id]) => id));
  };
  try {
    const parts = JSON.parse(JSON.stringify(given.state), decode) as WatchState;
    const state = { ...parts, silentSince: given.silentSince };
    return isWhole(state) ? { ...state, orders: new Map([...listed, ...state.orders]) } : undefined;
  } catch {
    return undefined;
  }
};

/** Whether each part of a state has the right type. */
const isWhole = (state: WatchState): boolean => {
  const typeOf = (value: unknown): string => Object.prototype.toString.call(value);
  const { head: _head, silentSince: _silentSince, ...required } = newState();
  return (
    Object.entries(required).every(([name, value]) => typeOf(state[name as keyof WatchState]) === typeOf(value)) &&
    (state.silentSince === null || typeof state.silentSince === 'number') &&
    (state.head === undefined || state.head.seen instanceof Map) &&
    [...state.lists.values()].every(({ seen, unseen }) => seen instanceof Set && unseen instanceof Set) &&
    [...state.orders.values(), ...state.toRead.values(), ...state.held].every(isObject)
  );
};

/**
 * Order IDs as they are saved: each ID as the difference from the previous one, or as a string. Lists are mostly
 * descending.
 */
type SavedIds = (number | string)[];

/** Encodes the IDs of a list in two or three characters of JSON each. */
export const saveIds = (ids: Iterable<string>): SavedIds => {
  let previous = 0;
  return [...ids].map((id) => {
    const number = Number(id);
    if (!Number.isSafeInteger(number) || String(number) !== id) return id;
    const saved = previous - number;
    previous = number;
    return saved;
  });
};

export const readIds = (saved: SavedIds): string[] => {
  let previous = 0;
  return saved.map((entry) => {
    if (typeof entry === 'string') return entry;
    previous -= entry;
    return String(previous);
  });
};
