/**
 * The state that `changes` returns and that you pass to the next call. Store it as JSON, unchanged; its parts are
 * internal. A store that drops null fields does no harm.
 */
export interface ChangesState {
  version: 4;
  /**
   * Time since which every poll has failed or left a page of a list unread, in seconds since 1970; null if the last poll
   * did neither. After ten minutes of this, a poll that fails without an event throws. A program that restarts can set
   * it to null, so that the ten minutes start over.
   */
  silentSince?: number | null;
  /** A `WatchState` as JSON. */
  state: unknown;
}
