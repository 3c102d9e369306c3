import type { ErrorReason } from './responses.ts';

/** An HTTP request, from any adapter. */
export interface MockRequest {
  method: string;
  /** Path and query exactly as sent, e.g. `/api/v1/orders?page=2`. */
  target: string;
  /** The headers as sent, as alternating names and values. */
  rawHeaders: readonly string[];
  /** Whether the request was sent over TLS. */
  secure: boolean;
}

/** Summary of a response, without keys, names or amounts. */
export interface AnswerSummary {
  /** The reason for an error, e.g. `rateLimited` or `orderNotFound`. */
  error?: ErrorReason;
  /** In a list: number of orders on this page. */
  orders?: number;
  /** In a list: `pagination.total`. */
  total?: number;
  /** In a list: `pagination.pages`. */
  pages?: number;
  /** In an order: its ID, in the form that `state` and faults use. */
  orderId?: number;
  /** In an order: total number of license codes. */
  licenseCodes?: number;
}

/** An HTTP response. */
export interface MockResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** Summary for the journal. */
  summary?: AnswerSummary;
}

/** Whether responses with this status have no body. */
export const isBodiless = (status: number): boolean => [204, 205, 304].includes(status);

/**
 * Returns all values of a header, in the order in which they were sent.
 * @param name in lower case
 */
export const headerValues = ({ rawHeaders }: MockRequest, name: string): string[] => {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const key = rawHeaders[i] as string;
    if (key.length === name.length && key.toLowerCase() === name) values.push(rawHeaders[i + 1] as string);
  }
  return values;
};

/** Splits a request target into path and query. The query has no question mark. */
export const splitTarget = (target: string): { path: string; query: string } => {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
};

/** Whether the request has a body. */
export const hasBody = (request: MockRequest): boolean =>
  Number(headerValues(request, 'content-length')[0] ?? 0) > 0 || headerValues(request, 'transfer-encoding').length > 0;
