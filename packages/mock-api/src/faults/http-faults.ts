import type { MockResponse } from '../api/http.ts';
import { errorResponse, htmlPage, rateLimitResponse, redirect } from '../api/responses.ts';
import type { Settings } from '../settings/settings.ts';
import { type Fault, faultWaitMs } from './fault.ts';

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
export const corrupt = (
  response: MockResponse,
  fault: Fault,
  settings: Settings,
  target: string,
  now: number,
): MockResponse => {
  const json = (status: number, body: unknown): MockResponse => {
    return { status, headers: { ...response.headers }, body: JSON.stringify(body) };
  };
  const { summary: _, ...unread } = response;
  const text = response.body as string;
  switch (fault.kind) {
    case 'status':
      return errorOf(fault.status ?? 500, faultWaitMs(fault, now), settings);
    case 'html':
      return htmlPage(fault.status ?? 502, reasons[fault.status ?? 502] ?? 'Error');
    case 'emptyBody':
      return { ...unread, status: fault.status ?? 200, body: '' };
    case 'textBody':
      return { status: fault.status ?? 200, headers: { 'content-type': 'text/plain' }, body: 'Service is starting' };
    case 'emptyObject':
      return json(fault.status ?? 200, {});
    case 'nullData':
      return json(200, { status: 200, data: null });
    case 'arrayData':
      return json(200, { status: 200, data: [] });
    case 'errorObject':
      return json(fault.status ?? 500, { status: fault.status ?? 500, error: { code: 'E1', message: 'failed' } });
    case 'errorArray':
      return json(fault.status ?? 500, { status: fault.status ?? 500, error: ['failed', 'twice'] });
    case 'okWithError':
      return json(200, { status: 200, error: 'Something failed.' });
    case 'wrongStatus':
      return { ...response, body: withStatus(text, 201) };
    case 'bom':
      return { ...response, body: `\ufeff${text}` };
    case 'latin1':
      return { ...response, body: Uint8Array.from(Buffer.from(text, 'latin1')) };
    case 'wrongType':
      return { ...response, headers: { ...response.headers, 'content-type': 'application/octet-stream' } };
    case 'cutJson':
      return { ...unread, body: text.slice(0, text.length / 2) };
    case 'deepBody':
      return { ...unread, body: `{"status":200,"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}` };
    case 'hugeBody':
      return { ...unread, body: `{"status":200,"data":{"x":"${'x'.repeat(fault.bytes ?? 20_000_000)}"}}` };
    case 'redirect':
      return redirect(fault.status ?? 308, fault.to ?? `https://elsewhere.example.test${target}`);
    default:
      return response;
  }
};

const errorOf = (status: number, waitMs: number | undefined, settings: Settings): MockResponse => {
  const known = {
    400: 'badRequest',
    401: 'unauthorized',
    403: 'notBusiness',
    404: 'orderNotFound',
  } as const;
  if (status === 429) return rateLimitResponse(waitMs ?? settings.windowMs, settings);
  const response = errorResponse(known[status as keyof typeof known] ?? 'server', settings);
  const body = (response.body as string).replace(/^(\{"status":"?)\d+/, `$1${status}`);
  return { ...response, status, body };
};

/** Replaces the status in the envelope, keeping its type (number or string); a missing status becomes a number. */
const withStatus = (envelope: string, status: number): string =>
  envelope.replace(/^\{(?:"status":("?)\d+"?,)?/, (_, quote: string = '') => `{"status":${quote}${status}${quote},`);
