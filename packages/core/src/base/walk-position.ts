/**
 * How far a walk got: plain data to store as JSON and pass as `position` to the same kind of walk, in this process or
 * another. It covers every order newer than `at`, and at `at` those in `ids`.
 */
export interface WalkPosition {
  version: 1;
  /** The walk's filters, which the next one inherits. */
  status: string[] | null;
  createdFrom: string | null;
  createdBefore: string | null;
  /** When the last order was created, ISO 8601; null at the top of the list. */
  at: string | null;
  /**
   * IDs of the orders created at `at`, since their order in the list is undefined, and of those without a readable
   * date.
   */
  ids: (number | string)[];
  undatedIds: (number | string)[];
  /** Why the walk is incomplete. */
  gaps: string[];
  /** In a position of `totals`: the counts so far. */
  totals?: object | undefined;
}
