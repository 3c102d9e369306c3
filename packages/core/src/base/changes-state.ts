/**
 * The state that `changes` returns and that you pass to the next call. Store it as JSON, unchanged; its parts are
 * internal.
 */
export interface ChangesState {
  version: 3;
  /** Time since which every poll has failed or left a page of a list unread; null otherwise. */
  silentSince: number | null;
  /** A `WatchState` as JSON: maps as their entries, lists as runs of orders with the same data. */
  state: unknown;
}
