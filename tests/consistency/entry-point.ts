import type { ErrorCode } from '@order-license/core';

/** An entry point's result: the API's data, or why it was rejected, with the API's message. */
export type Outcome =
  /** `isJoined`: assembled from tables, which don't keep the order of the fields. */
  { data: unknown; isJoined?: true } | { rejected: ErrorCode; serverText?: string };

export interface PageQuery {
  page?: unknown;
  perPage?: unknown;
  status?: unknown;
}

/** One way to perform the three reads of the API (§4). Throws only if nothing responds. */
export interface EntryPoint {
  name: string;
  /** True if no other entry point may be used at the same time. Such entry points come last. */
  alone?: true;
  /** True if strings lose invisible characters, because a model reads them (S-05). */
  visibleTextOnly?: true;
  getMe(): Promise<Outcome>;
  /** All orders, in list order. */
  list(status?: unknown): Promise<Outcome>;
  /** One page; absent if the entry point has no pages. */
  page?(query: PageQuery): Promise<Outcome>;
  getOrder(id: unknown): Promise<Outcome>;
  /** Advances a minute for the entry point, so that it need not wait for the limit. */
  pass(): void;
  close(): Promise<void>;
}
