import { errorResponse, htmlPage, type MockResponse, rateLimitResponse } from '../api/responses.ts';
import type { Settings } from '../settings/settings.ts';
import type { Fault, FaultKind, ResponseChange } from './fault.ts';

const reasons: Record<number, string> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
};

/**
 * How a fault changes the usual response. Faults without an entry keep it.
 * @param waitMs the wait that a 429 states
 */
type Change = (usual: MockResponse, fault: Fault, waitMs: number, settings: Settings) => MockResponse;

const changes: Partial<Record<FaultKind, Change>> = {
  status: (_, { status = 500 }, waitMs, settings) => errorOf(status, waitMs, settings),
  html: (_, { status = 502 }) => htmlPage(status, reasons[status] ?? 'Error'),
  cutJson: (usual) => changed(usual, { body: (json) => json.slice(0, json.length / 2) }),
  response: (usual, { response = {} }) => changed(usual, response),
};

/** Returns a response with its fault, but without the fault's headers. The server handles wire faults. */
export const withFault: Change = (usual, fault, waitMs, settings) =>
  changes[fault.kind]?.(usual, fault, waitMs, settings) ?? usual;

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
  const response = errorResponse(known[status as keyof typeof known] ?? 'server', settings);
  const body = (response.body as string).replace(/^(\{"status":"?)\d+/, `$1${status}`);
  return { ...response, status, body };
};
