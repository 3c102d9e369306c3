import type { ErrorCode } from '@order-license/core';

/** An entry point's result: the API's data, or an error code and, if there is one, the API's message. */
export type Outcome =
  /** `isJoined`: whether the data was assembled from tables, which don't keep the field order. */
  { data: unknown; isJoined?: true } | { rejected: ErrorCode; serverText?: string };

export interface PageQuery {
  page?: unknown;
  perPage?: unknown;
  status?: unknown;
}

/** One way to make the API's three read requests (§4). A method throws only if nothing responds. */
export interface EntryPoint {
  name: string;
  /** True if no other entry point can be used at the same time. Such entry points come last. */
  alone?: true;
  /** True if strings lose invisible characters, because a model reads them (S-05). */
  visibleTextOnly?: true;
  getMe(): Promise<Outcome>;
  /** Reads all orders, in list order. */
  list(status?: unknown): Promise<Outcome>;
  /** Reads one page of the list. Absent if the entry point cannot read single pages. */
  page?(query: PageQuery): Promise<Outcome>;
  getOrder(id: unknown): Promise<Outcome>;
  close?(): Promise<void>;
}

/** Returns the result of a read, or the code that `detailsOf` finds in its error. Throws any other error. */
export const outcomeOf = async (
  read: () => Promise<unknown>,
  detailsOf: (error: unknown) => { code: ErrorCode; serverText?: string | undefined } | undefined,
): Promise<Outcome> => {
  try {
    return { data: await read() };
  } catch (error) {
    const details = detailsOf(error);
    if (!details) throw error;
    const { code: rejected, serverText } = details;
    return { rejected, ...(serverText !== undefined && { serverText }) };
  }
};
