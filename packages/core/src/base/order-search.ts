/** How far a search for an order number got. */
export interface OrderSearch {
  /**
   * Of the order numbers read, the closest to the requested number on each side, with the `created_at` of their orders,
   * unchanged. One side is undefined at an end of the list. Absent if the list is not sorted by number and was
   * therefore read page by page.
   */
  between?:
    | {
        newer: string | undefined;
        older: string | undefined;
        newerAt?: string | undefined;
        olderAt?: string | undefined;
      }
    | undefined;
  /** Number of orders read. */
  searched: number;
  /** Total number of orders, as the API counts them. */
  total: number | undefined;
  /** Number of list requests that this search sent. */
  requests: number;
  /** `created_at` of the oldest order read, unchanged. */
  oldest: string | undefined;
  /** An order number of this account, unchanged: the first one read. */
  example: string | undefined;
}

/** Describes how much of the list was searched, such as `100 of 250 orders`. */
export const describeSpan = ({ searched, total }: OrderSearch): string =>
  total === undefined ? `${searched} orders` : `${searched} of ${total} orders`;
