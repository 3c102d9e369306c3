/** How far a search for an order number got. */
export interface OrderSearch {
  /**
   * The order numbers between which the number would be in the list, as far as they were read, and the `created_at` of
   * their orders, as it came; a side is undefined at an end of the list. Absent if the list is not sorted by number, so
   * that it was read page by page.
   */
  between?:
    | {
        newer: string | undefined;
        older: string | undefined;
        newerAt?: string | undefined;
        olderAt?: string | undefined;
      }
    | undefined;
  /** Orders read. */
  searched: number;
  /** Total orders, as the service counts them. */
  total: number | undefined;
  /** List requests that this search sent. */
  requests: number;
  /** `created_at` of the oldest order read, unchanged. */
  oldest: string | undefined;
  /** The page of 50 to resume from (`startPage`); undefined if the whole list was read. */
  nextPage: number | undefined;
}
