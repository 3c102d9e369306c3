import { errorResponse, htmlPage, type MockResponse, rateLimitResponse } from '../api/responses.ts';
import type { Settings } from '../settings/settings.ts';
import type { Fault, ResponseChange } from './fault.ts';

const reasons: Record<number, string> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/**
 * Returns a response with its fault, but without the fault's headers. The server handles wire faults.
 * @param waitMs the wait that a 429 states
 */
export const withFault = (
  usual: MockResponse,
  { kind, status, response = {} }: Fault,
  waitMs: number,
  settings: Settings,
): MockResponse => {
  switch (kind) {
    case 'status':
      return errorOf(status ?? 500, waitMs, settings);
    case 'html':
      return htmlPage(status ?? 502, reasons[status ?? 502] ?? 'Error');
    case 'cutJson':
      return changed(usual, { body: (json) => json.slice(0, json.length / 2) });
    default:
      return changed(usual, response);
  }
};

const changed = ({ summary, ...usual }: MockResponse, { status, body }: ResponseChange): MockResponse => ({
  ...usual,
  ...(status !== undefined && { status }),
  ...(body === undefined ? summary && { summary } : { body: bodyOf(body, usual.body) }),
});

const bodyOf = (body: ResponseChange['body'], usual: MockResponse['body']): MockResponse['body'] => {
  if (body === undefined) return usual;
  if (typeof body === 'function') return bodyOf(body(String(usual)), usual);
  return typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
};

const errorOf = (status: number, waitMs: number, settings: Settings): MockResponse => {
  const known = { 400: 'badRequest', 401: 'unauthorized', 403: 'notBusiness', 404: 'orderNotFound' } as const;
  if (status === 429) return rateLimitResponse(waitMs, settings);
  return errorResponse(known[status as keyof typeof known] ?? 'server', settings, '', status);
};
