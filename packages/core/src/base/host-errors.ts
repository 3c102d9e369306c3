import { codeOf } from './checks.ts';
import { type ErrorFields, isOrderLicenseError, OrderLicenseError } from './errors.ts';

/**
 * Creates the error with which a host reports that no response arrived.
 * @param reason an error code such as `ECONNREFUSED`, never a message: it could contain a key
 * @param fields `sent: false` only if it is certain that no part of the request left this machine
 */
export const connectionError = (reason?: string, fields: Pick<ErrorFields, 'sent'> = {}): OrderLicenseError => {
  const tls = tlsFailures.find(([codes]) => codes.test(reason ?? ''));
  const [, what = 'The API could not be reached', advice = 'Check the base URL and the network, then try again.'] =
    tls ?? [];
  const detail = reason ? `${what} (${reason})` : what;
  return new OrderLicenseError('connection', { detail, advice, reason, retryable: tls && false, ...fields });
};

/** What to do about a certificate from a private CA. */
export const trustCa =
  "start Node.js with NODE_USE_SYSTEM_CA=1 if this machine trusts the CA, otherwise with NODE_EXTRA_CA_CERTS set to the CA's certificate file";

/** TLS failures that a retry would not fix, by Node.js error code; the first match applies. */
const tlsFailures: readonly (readonly [codes: RegExp, detail: string, advice: string])[] = [
  [
    /_ALERT_.*(CERT|_CA$)/,
    'The API rejected the client certificate, or requires one',
    'Use a client certificate that the API accepts.',
  ],
  [
    /ALTNAME|^HOSTNAME_MISMATCH$/,
    "The API's certificate is for a different host name",
    'Check the host name in the base URL.',
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "The API's certificate is not valid at this time",
    "Check this machine's clock. If it is correct, ask whoever runs the API to renew its certificate.",
  ],
  [
    /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$|^INVALID_(CA|PURPOSE)$/,
    "The API's certificate is not trusted",
    `If your network or the API uses its own CA, ${trustCa}.`,
  ],
];

/**
 * Creates the error with which a host reports that no complete response arrived within `timeoutMs`. `fields` is the
 * same as in {@link connectionError}.
 */
export const timeoutError = (timeoutMs: number, fields: Pick<ErrorFields, 'sent'> = {}): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `No complete response arrived within ${Math.round(timeoutMs)} ms`,
    advice: 'Try again later.',
    ...fields,
  });

/** Creates the error with which a host reports that the response is longer than `maxBytes`. */
export const bodyTooLargeError = (maxBytes: number): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The response is longer than ${maxBytes} bytes and was not read`,
    advice: 'Check the base URL.',
  });

/** Codes of failures before a connection exists. Such requests do not count toward the rate limit. */
const unsent: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Returns the error of a request that failed without a response. Keeps only the code of what was thrown, because its
 * message, request and stack can contain the API key.
 * @param sent whether sending began, if the host knows it
 */
export const requestFailure = (thrown: unknown, sent?: boolean): OrderLicenseError => {
  if (isOrderLicenseError(thrown)) return thrown;
  const { cause, httpCode } = Object(thrown) as { cause?: unknown; httpCode?: unknown };
  const reason = codeOf(thrown) ?? codeOf(cause) ?? codeOf({ code: httpCode });
  return connectionError(reason, { sent: sent ?? !unsent.has(reason) });
};
