import type { ErrorCode } from '@order-license/core';

/** What came through an entry point: the data of the service, or why it was refused, with the words of the service. */
export type Outcome = { data: unknown } | { refused: ErrorCode; serverText?: string };

export interface PageQuery {
  page?: unknown;
  perPage?: unknown;
  status?: unknown;
}

/** One way to the three reads of the API (§4). Nothing is thrown but what is no answer at all. */
export interface EntryPoint {
  name: string;
  /** Where no other entry point may be used meanwhile. Such entry points come last. */
  alone?: true;
  /** Where texts lose what people cannot see, because a model reads them (S-05). */
  visibleTextOnly?: true;
  getMe(): Promise<Outcome>;
  /** All orders, in their order. */
  list(status?: unknown): Promise<Outcome>;
  /** One page; absent where the entry point has no pages. */
  page?(query: PageQuery): Promise<Outcome>;
  getOrder(id: unknown): Promise<Outcome>;
  /** Lets a minute pass behind the entry point, so that its pacing has nothing to wait for. */
  pass(): void;
  close(): Promise<void>;
}
