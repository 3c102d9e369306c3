import { isObject } from '../base/checks.ts';
import { type ErrorCode, type ErrorFields, OrderLicenseError } from '../base/errors.ts';
import type { HttpResponse } from '../base/host.ts';
import { maskKey } from './api-key.ts';
import { errorOf429 } from './pause-after-429.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * Reads `data` from a response body (§1). The HTTP status decides the outcome (§7); the API's error message is only
 * passed on.
 * @param notFound the error for a 404 response to this request
 * @returns `data` of a response with status 200
 * @throws `bad_request`, `authentication`, `not_business_account`, `not_found`, `rate_limited` or `server`, depending
 * on the status. `invalid_response` for a redirect, any other status or an invalid body. Also `invalid_response` for a
 * 401, 403 or 404 without a string `error`, because a firewall or proxy sent it, not the API; unless its body could not
 * be decoded, which doesn't tell who sent it
 */
export const openEnvelope = (response: HttpResponse, apiKey: string, notFound: Meaning): Record<string, unknown> => {
  const { status } = response;
  const content = readContent(response);
  const { body, isUndecoded } = content;
  const serverText = errorText(body, apiKey);
  if (status === 200 && isObject(body) && isObject(body.data) && !serverText) return body.data;
  if (status === 429) {
    const received = isApiError(body) ? undefined : describe(response, apiKey, isUndecoded);
    throw errorOf429(response, { serverText, received });
  }
  const { code = 'invalid_response', isForeign, ...fields } = meaningOf(response, content, serverText, notFound);
  const received = isForeign || isUndecoded ? describe(response, apiKey, isUndecoded) : undefined;
  throw new OrderLicenseError(code, { ...fields, received, status, serverText });
};

/** The error that a response without `data` causes. */
export interface Meaning extends Pick<ErrorFields, 'detail' | 'advice' | 'reason' | 'retryable' | 'retryAfterMs'> {
  /** @default invalid_response */
  code?: ErrorCode;
  /** True if the response probably did not come from the API: the error then describes the response. */
  isForeign?: boolean;
}

const checkAddress = 'Check the base URL.';
/** The advice for a response that something other than the API sent. */
const checkWay = 'Check the base URL and any login page, bot protection, firewall or proxy between here and the API.';

/** The error for a 404 response if no order was requested, or if the response isn't in the API's error format. */
export const nothingThere: Meaning = { detail: 'The API was not found at this address (404)', advice: checkAddress };

const meanings: Record<number, Meaning> = {
  400: { code: 'bad_request', detail: 'The API rejected the request parameters (400)', advice: 'Check them.' },
  401: {
    code: 'authentication',
    detail: 'The API rejected the API key (401)',
    advice: 'Check that it is complete and has not been revoked, or create a new one in the customer account.',
  },
  403: {
    code: 'not_business_account',
    detail: 'The account is not a business account (403)',
    advice: 'Enter a company or a VAT ID in the customer account.',
  },
};

/** What happened, by status: the statuses besides 5xx after which the same request may succeed. */
const transient: Record<number, string> = {
  408: 'The API did not receive the request in time (408)',
  421: 'The server does not accept requests for this host on this connection (421)',
  425: 'The API rejected the request because it came too early (425)',
};

const meaningOf = (
  { status, headers }: HttpResponse,
  { body, isUndecoded }: Content,
  serverText: string | undefined,
  notFound: Meaning,
): Meaning => {
  if (status === 200) {
    if (isUndecoded) {
      return {
        detail: 'The response could not be decoded',
        advice: 'Ask whoever runs the API for gzip or no compression.',
      };
    }
    if (!isObject(body)) {
      // A body that isn't JSON was cut off, or is a page that may be there only for some time.
      const detail = 'The response is not a JSON object in UTF-8';
      return { detail, advice: checkWay, isForeign: true, retryable: body === undefined };
    }
    return serverText
      ? { detail: 'The API returned status 200 with an error in the body', advice: 'Try again later.' }
      : { detail: 'The response has no `data` object', advice: checkAddress };
  }
  const isApis = isApiError(body) || isUndecoded;
  if (status >= 500 || transient[status]) {
    const asked = retryAfterMs(headers);
    const when = asked === undefined ? 'later' : `in ${Math.ceil(asked / 1000)} s`;
    const detail = transient[status] ?? `The API returned server error ${status}`;
    return { code: 'server', detail, advice: `Try again ${when}.`, retryAfterMs: asked, isForeign: !isApis };
  }
  if (status === 404) return isApis ? notFound : nothingThere;
  if ((status === 401 || status === 403) && !isApis) {
    return {
      detail: `The response with status ${status} did not come from the API`,
      advice: checkWay,
      reason: 'intermediary',
      isForeign: true,
    };
  }
  if (status >= 300 && status < 400 && status !== 304) {
    return {
      detail: `The API redirects to another address (${status}), but the client does not follow redirects with an API key`,
      advice: 'Set the base URL to the final address.',
      reason: 'redirect',
    };
  }
  const detail = `The response has status ${status}, which the API docs do not list for this call`;
  return meanings[status] ?? { detail, advice: checkAddress };
};

/** Whether a body has the API's error format (§7). A firewall or proxy usually sends something else. */
const isApiError = (body: unknown): body is { error: string } => typeof Object(body).error === 'string';

interface Content {
  /** The parsed JSON; undefined if the body isn't JSON in UTF-8. */
  body: unknown;
  /** Whether the host could not undo the content coding of the body, which is then missing or isn't text. */
  isUndecoded: boolean;
}

const readContent = ({ headers, body }: HttpResponse): Content => {
  let text: string | undefined;
  try {
    text = utf8.decode(body);
    // Each file of a PHP program can add a byte order mark, which `trim` removes like a space.
    return { body: JSON.parse(text.trim()), isUndecoded: false };
  } catch {
    // A host may leave the header on a body that it has decoded, such as a page in Latin-1.
    const isText = text || markup.test(String.fromCharCode(...body.subarray(0, 20)));
    return { body: undefined, isUndecoded: !isText && headers['content-encoding'] !== undefined };
  }
};

/** Decodes UTF-8 without its first byte order mark; throws for bytes that are not UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The beginning of HTML or a JSON object, in any encoding that begins as ASCII. Brotli can begin with `[`. */
const markup = /^\s*[<{]/;

/**
 * Returns a short description of the response without the key: content type, length, a content coding that could not be
 * undone, and the `server` header.
 */
const describe = ({ headers, body }: HttpResponse, apiKey: string, isUndecoded: boolean): string => {
  const shown = (value: unknown): string =>
    (maskKey(String(value), apiKey).split(';')[0] ?? '')
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 60);
  const facts = [shown(headers['content-type'] ?? 'no content type'), `${body.length} bytes`];
  if (isUndecoded) facts.push(`content-encoding: ${shown(headers['content-encoding'])}`);
  if (headers.server) facts.push(`server: ${shown(headers.server)}`);
  return facts.join(', ');
};

/**
 * Length of the longest error message that is shown: finding the key in 30 MB takes seconds, and a truncated message
 * could end within the key.
 */
const maxLength = 100_000;

/** Returns the API's error message, made safe to show: one line, at most 200 characters, without the key. */
const errorText = (body: unknown, apiKey: string): string | undefined => {
  if (!isApiError(body)) return undefined;
  if (body.error.length > maxLength) return `(a message of ${body.error.length} characters)`;
  const text = maskKey(body.error.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), apiKey);
  return text === '' ? undefined : Array.from(text).slice(0, 200).join('');
};
