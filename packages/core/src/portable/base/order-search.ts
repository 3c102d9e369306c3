/** How far a search for an order number has looked. */
export interface OrderSearch {
  /**
   * The order numbers between which the number would stand in the list, as far as they were met; a side is undefined
   * where the list ends. Absent if the numbers of the list are in no order, so that it was read page by page.
   */
  between?: { newer: string | undefined; older: string | undefined } | undefined;
  /** Orders looked at. */
  searched: number;
  /** Orders in all, as the service counts them. */
  total: number | undefined;
  /** List requests that this search sent. */
  requests: number;
  /** `created_at` of the oldest order looked at, as it came. */
  oldest: string | undefined;
  /** The page of 50 to go on from (`startPage`); undefined if the whole list was read. */
  nextPage: number | undefined;
}
