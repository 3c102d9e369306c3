import type { Verdict } from '../limit/limiter.ts';
import type { Settings } from '../settings/settings.ts';

/** The HTTP status and the error text for each reason why a request can fail. */
export const errors = {
  badRequest: [400, 'The request is invalid.'],
  unauthorized: [401, 'The API key is invalid or inactive.'],
  notBusiness: [403, 'This account is not a business account: it has no company and no VAT ID.'],
  httpsOnly: [403, 'This API is available over HTTPS only.'],
  orderNotFound: [404, 'This order was not found.'],
  pathNotFound: [404, 'This path was not found.'],
  outside: [404, 'This path is not part of the API, which starts at /api/v1.'],
  method: [405, 'This method is not allowed; use GET.'],
  notAcceptable: [406, 'This API returns application/json only.'],
  rateLimited: [429, 'The rate limit is exceeded.'],
  server: [500, 'Something went wrong on the server.'],
} as const;

export type ErrorReason = keyof typeof errors;

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
  /** In an order: number of license codes in the response, of all items. */
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

const contentTypes: Record<Settings['contentType'], string> = {
  utf8: 'application/json; charset=utf-8',
  bare: 'application/json',
  html: 'text/html; charset=utf-8',
};

/** Returns 200 with `data` in the envelope (§1). */
export const success = (data: unknown, settings: Settings, summary: AnswerSummary = {}): MockResponse => ({
  ...envelope(200, { data }, settings),
  summary,
});

/**
 * Returns an error in the envelope (§1, §7).
 * @param detail a sentence appended to the error text
 * @param status Default: the status of the reason.
 */
export const errorResponse = (
  reason: ErrorReason,
  settings: Settings,
  detail?: string,
  status: number = errors[reason][0],
): MockResponse => {
  const [, about] = errors[reason];
  const text = settings.errorText || [about, detail].filter(Boolean).join(' ');
  const response: MockResponse = {
    ...envelope(status, { error: text }, settings),
    summary: { error: reason },
  };
  if (reason === 'method') response.headers.allow = 'GET';
  return response;
};

/**
 * Returns 429 (§7, §8).
 * @param waitMs ms until another request is accepted
 */
export const rateLimitResponse = (waitMs: number, settings: Settings): MockResponse => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return errorResponse('rateLimited', settings, `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`);
};

/** Returns an HTML error page like those of web servers and proxies. */
export const htmlPage = (status: number, title: string): MockResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html>\n<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>\n`,
});

export const redirect = (location: string): MockResponse => ({
  status: 308,
  headers: { location, 'content-type': 'text/html; charset=utf-8' },
  body: '',
});

/** @param content the member of the envelope that follows `status` */
const envelope = (status: number, content: object, { looseStatus, contentType }: Settings): MockResponse => {
  const inBody = { integer: status, string: String(status), missing: undefined }[looseStatus];
  return {
    status,
    headers: { 'content-type': contentTypes[contentType] },
    body: JSON.stringify({ status: inBody, ...content }),
  };
};

/**
 * Returns a response with the headers of the rate limit and of its fault.
 * @param waitMs the wait that a 429 states
 * @param own the headers of the fault, which replace those with the same name
 * @param now ms since 1970
 */
export const withHeaders = (
  response: MockResponse,
  verdict: Verdict | undefined,
  waitMs: number,
  own: Readonly<Record<string, string>> | undefined,
  settings: Settings,
  now: number,
): MockResponse => {
  const { status, headers } = response;
  const limit = verdict && status === 429 ? { ...verdict, remaining: 0, resetMs: waitMs } : verdict;
  return { ...response, headers: { ...headers, ...(limit && rateHeaders(limit, status, settings, now)), ...own } };
};

/** Returns the headers that the setting `rateHeaders` adds to a response. @param now ms since 1970 */
const rateHeaders = (
  { remaining, resetMs }: Verdict,
  status: number,
  settings: Settings,
  now: number,
): Record<string, string> => {
  const seconds = Math.max(0, Math.ceil(resetMs / 1000));
  const { rateHeaders: form, limit } = settings;
  if (form === 'retryAfter' && status === 429) return { 'retry-after': String(seconds) };
  // HTTP dates are in whole seconds, so round up.
  const resetAt = Math.ceil((now + resetMs) / 1000);
  if (form === 'retryAfterDate' && status === 429) return { 'retry-after': new Date(resetAt * 1000).toUTCString() };
  if (form === 'x' && limit !== 'off')
    return {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetAt),
    };
  if (form === 'draft' && limit !== 'off')
    return {
      'ratelimit-policy': `"default";q=${limit};w=${Math.ceil(settings.windowMs / 1000)}`,
      ratelimit: `"default";r=${remaining};t=${seconds}`,
    };
  return {};
};

/**
 * Returns how long a client should wait after a 429, in ms: as its Retry-After says, or else until the limit accepts
 * another request; one window if the limit did not cause the 429.
 * @param now ms since 1970
 */
export const waitAfter429 = (
  headers: Readonly<Record<string, string>> | undefined,
  verdict: Verdict | undefined,
  { windowMs }: Settings,
  now: number,
): number => retryAfterMs(headers, now) ?? (verdict?.allowed === false ? verdict.resetMs : windowMs);

/**
 * Returns the wait that a Retry-After header states, in ms; `undefined` unless the header is a number of seconds or a
 * date. A date is compared with the Date header, or with the mock's clock if there is none.
 * @param now ms since 1970
 */
const retryAfterMs = (headers: Readonly<Record<string, string>> = {}, now: number): number | undefined => {
  const stated = headers['retry-after'] ?? '';
  if (/^\d+$/.test(stated)) return Number(stated) * 1000;
  const until = timeIn(stated);
  return until === undefined ? undefined : Math.max(0, until - (timeIn(headers.date) ?? now));
};

/** Parses an HTTP date; `undefined` for any other text. */
const timeIn = (date = ''): number | undefined => {
  const ms = date.endsWith(' GMT') ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
};
