import { isObject } from '../base/checks.ts';
import { type ErrorCode, type ErrorFields, OrderLicenseError, RateLimitError } from '../base/errors.ts';
import type { HttpResponse } from '../base/host.ts';
import { maskKey } from './api-key.ts';
import { defaultPauseMs, retryAfterMs } from './retry.ts';

/**
 * Opens the response body (§1): the HTTP status decides (§7), an error's message is only passed on.
 * @param notFound the meaning of 404 for this request
 * @returns `data` of a response with status 200
 * @throws by status: `bad_request`, `authentication`, `not_business_account`, `not_found`, `rate_limited`, `server`;
 * and `invalid_response` for a redirect, any other status, an invalid body, and a 401 or 403 without a string `error`,
 * which comes from a firewall or proxy
 */
export const openEnvelope = (response: HttpResponse, apiKey: string, notFound: Meaning): Record<string, unknown> => {
  const body = parse(response.body);
  if (response.status !== 200) throw failure(response, body, apiKey, notFound);
  if (!isObject(body)) {
    const received = describe(response, apiKey);
    throw new OrderLicenseError('invalid_response', {
      detail: 'The response is not a JSON object in UTF-8',
      advice: checkAddress,
      ...{ status: 200, received },
    });
  }
  const serverText = errorText(body, apiKey);
  if (isObject(body.data) && !serverText) return body.data;
  const meaning = serverText
    ? { detail: 'The API returned 200 but with an error in the body', advice: 'Try again later.' }
    : { detail: 'The response has no `data` object', advice: checkAddress };
  throw new OrderLicenseError('invalid_response', { ...meaning, status: 200, serverText });
};

const checkAddress = 'Check the base URL.';

/** The meaning of a status. */
export interface Meaning extends Pick<ErrorFields, 'detail' | 'advice'> {
  code: ErrorCode;
}

/** A 404 for anything but an order, or one not in the API's error format. */
export const nothingThere: Meaning = {
  code: 'invalid_response',
  detail: 'The API was not found at this address (404)',
  advice: checkAddress,
};

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

const failure = (response: HttpResponse, body: unknown, apiKey: string, notFound: Meaning): OrderLicenseError => {
  const { status } = response;
  const serverText = isObject(body) ? errorText(body, apiKey) : undefined;
  const given = { status, serverText };
  if (status === 429) return new RateLimitError('server', retryAfterMs(response.headers) ?? defaultPauseMs, given);
  if (status >= 500) {
    const asked = retryAfterMs(response.headers);
    const when = asked === undefined ? 'later' : `in ${Math.ceil(asked / 1000)} s`;
    return new OrderLicenseError('server', {
      detail: `The API returned a server error (${status})`,
      advice: `Try again ${when}.`,
      retryAfterMs: asked,
      ...given,
    });
  }
  if ((status === 401 || status === 403) && !(isObject(body) && typeof body.error === 'string')) {
    const received = describe(response, apiKey);
    return new OrderLicenseError('invalid_response', {
      detail: `The response with status ${status} is not the API's`,
      advice: 'Check the base URL and any proxy or firewall between here and the API.',
      reason: 'intermediary',
      ...{ received, ...given },
    });
  }
  const meaning = status === 404 ? (isObject(body) ? notFound : nothingThere) : meanings[status];
  if (meaning) {
    const { code, ...fields } = meaning;
    return new OrderLicenseError(code, { ...fields, ...given });
  }
  if (status >= 300 && status < 400) {
    return new OrderLicenseError('invalid_response', {
      detail: `The API redirects to another address (${status}), but redirects are not followed with an API key`,
      advice: 'Set the base URL to the final address.',
      reason: 'redirect',
      ...given,
    });
  }
  return new OrderLicenseError('invalid_response', {
    detail: `The response has status ${status}, which the API does not document for this call`,
    advice: checkAddress,
    ...given,
  });
};

const parse = (bytes: Uint8Array): unknown => {
  try {
    // TextDecoder drops a byte order mark; bytes that are not UTF-8 throw.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

/** A description of the response, bounded and without the key: content type, length and the `server` header. */
const describe = ({ headers, body }: HttpResponse, apiKey: string): string => {
  const shown = (value: unknown): string =>
    maskKey(String(value).split(';')[0] ?? '', apiKey)
      .replace(/[^\x20-\x7e]/g, '')
      .trim()
      .slice(0, 60);
  const facts = [shown(headers['content-type'] ?? 'no content type'), `${body.length} bytes`];
  if (headers.server) facts.push(`server: ${shown(headers.server)}`);
  return facts.join(', ');
};

/** The message in `error`, made safe to show: one line, at most 200 characters, without the key. */
const errorText = (body: Record<string, unknown>, apiKey: string): string | undefined => {
  if (typeof body.error !== 'string') return undefined;
  const line = body.error.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const text = maskKey(line, apiKey);
  return text === '' ? undefined : Array.from(text).slice(0, 200).join('');
};
