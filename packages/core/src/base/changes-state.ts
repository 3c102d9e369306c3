/**
 * The state that `changes` returns and that you pass to the next call. Store it as JSON, unchanged; its parts are
 * internal. A store that drops null fields does no harm.
 */
export interface ChangesState {
  version: 4;
  /**
   * Time since which every poll has failed or left a page of a list unread; null if the last poll was whole. After ten
   * minutes, `changes` throws. A program that restarts sets it to null, so that the ten minutes start over.
   */
  silentSince?: number | null;
  /** A `WatchState` as JSON: maps as runs of IDs that have the same data. */
  state: unknown;
}
