/**
 * How far a walk got, as plain data. Store it as JSON, and pass it as `position` to the same kind of walk, in this
 * process or another. A position covers all orders newer than `at`, and the orders created at `at` whose IDs are in
 * `ids`.
 */
export interface WalkPosition {
  version: 1;
  /**
   * Short hashes of the base URL and of the API key: a position is valid only for the account whose orders it
   * describes.
   */
  owner: string;
  /** The walk's filters, which the resumed walk inherits. */
  status: string[] | null;
  createdFrom: string | null;
  createdBefore: string | null;
  /** Time at which the last order read was created, ISO 8601; null at the top of the list. */
  at: string | null;
  /**
   * IDs of the orders read that were created at `at`: the list does not define a sequence for orders with the same
   * date.
   */
  ids: (number | string)[];
  /** IDs of the orders read without a readable date. */
  undatedIds: (number | string)[];
  /** Why the walk may have missed orders: see `WalkGap`. */
  gaps: string[];
  /** Set only in positions from `orderDetails`. */
  details?: DetailsPosition | undefined;
}

export interface DetailsPosition {
  /** Null for orders with any product; true if `productName` is a function, which must be passed again to resume. */
  productName: string | true | null;
  skipWithoutCodes: boolean;
  /** List entries of the orders that could not be read. The walk requests these orders again at its end. */
  setAside: { id: number | string }[];
}
