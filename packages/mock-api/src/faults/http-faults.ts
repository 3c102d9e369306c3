import { errorResponse, htmlPage, type MockResponse, rateLimitResponse } from '../api/responses.ts';
import type { Verdict } from '../limit/limiter.ts';
import type { Settings } from '../settings/settings.ts';
import { type Fault, faultWaitMs, type ResponseChange } from './fault.ts';

const reasons: Record<number, string> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/**
 * Applies an HTTP fault to a response. The server handles wire faults.
 * @param now ms since 1970
 */
export const corrupt = (response: MockResponse, fault: Fault, settings: Settings, now: number): MockResponse => {
  const { summary: _, ...unread } = response;
  const { kind, status } = fault;
  if (kind === 'status') return errorOf(status ?? 500, faultWaitMs(fault, now), settings);
  if (kind === 'html') return htmlPage(status ?? 502, reasons[status ?? 502] ?? 'Error');
  if (kind === 'cutJson') return { ...unread, body: response.body.slice(0, response.body.length / 2) as string };
  if (kind !== 'response' || !fault.response) return response;
  const { status: changed = response.status, body } = fault.response;
  return { ...(body === undefined ? response : unread), status: changed, body: bodyOf(body, response.body) };
};

/** Returns the verdict for a 429 that a fault may have caused, so that the rate-limit headers match the response. */
export const rejectedBy = (
  fault: Fault | undefined,
  verdict: Verdict | undefined,
  { windowMs }: Settings,
  now: number,
): Verdict | undefined => {
  const statedMs = fault && faultWaitMs(fault, now);
  return fault && verdict && (verdict.allowed || statedMs !== undefined)
    ? { ...verdict, allowed: false, remaining: 0, resetMs: statedMs ?? windowMs }
    : verdict;
};

const bodyOf = (body: ResponseChange['body'], usual: MockResponse['body']): MockResponse['body'] => {
  if (body === undefined) return usual;
  if (typeof body === 'function') return bodyOf(body(String(usual)), usual);
  return typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
};

const errorOf = (status: number, waitMs: number | undefined, settings: Settings): MockResponse => {
  const known = { 400: 'badRequest', 401: 'unauthorized', 403: 'notBusiness', 404: 'orderNotFound' } as const;
  if (status === 429) return rateLimitResponse(waitMs ?? settings.windowMs, settings);
  const response = errorResponse(known[status as keyof typeof known] ?? 'server', settings);
  const body = (response.body as string).replace(/^(\{"status":"?)\d+/, `$1${status}`);
  return { ...response, status, body };
};
