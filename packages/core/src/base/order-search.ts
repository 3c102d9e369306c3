/** How far a search for an order number got. */
export interface OrderSearch {
  /**
   * Of the order numbers read, the closest to the requested number on each side, with the `created_at` of their orders,
   * unchanged. One side is undefined at an end of the list. Absent if the list was read page by page, because it is
   * short or not sorted by number.
   */
  between?:
    | {
        newer: string | undefined;
        older: string | undefined;
        newerAt?: string | undefined;
        olderAt?: string | undefined;
      }
    | undefined;
  /** Number of orders read, by this search and earlier ones of the same finder. */
  searched: number;
  /** Total number of orders, as the API counts them. */
  total: number | undefined;
  /** Number of list requests that this search sent. */
  requests: number;
  /** `created_at` of the oldest order read, unchanged. */
  oldest: string | undefined;
  /**
   * `created_at` of the order down to which the list was read from its top without a gap, unchanged. To search further
   * down, walk with a `createdBefore` one second later. Absent before the first such page.
   */
  readDownTo?: string | undefined;
  /** An order number of this account: the first one read. */
  example: string | undefined;
}

/** Describes how much of the list was searched, such as `100 of 250 orders`. */
export const describeSpan = ({ searched, total }: OrderSearch): string =>
  total === undefined ? `${searched} orders` : `${searched} of ${total} orders`;

/** Returns the advice to check the number that was searched for; shows how the account's numbers look. */
export const numberAdvice = ({ example }: OrderSearch): string =>
  example === undefined
    ? 'Check the number.'
    : `Check the number: this account has numbers such as ${quoteNumber(example)}.`;

/**
 * Quotes an order number, truncated and on one line: numbers in the list come from the API and can contain anything.
 */
export const quoteNumber = (orderNumber: string): string =>
  JSON.stringify(orderNumber.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 60));
