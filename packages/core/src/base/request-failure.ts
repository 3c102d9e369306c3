import { isOrderLicenseError, type OrderLicenseError } from './errors.ts';
import { connectionError } from './host-errors.ts';

/** Codes of failures before a connection exists. Such requests do not count toward the rate limit. */
const unsent: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Error codes in the form of Node's, such as `ECONNREFUSED`. */
const nodeCode = /^[A-Z][A-Z0-9_]{2,39}$/;

/**
 * Returns the error of a request that failed without a response. Keeps only the code of what was thrown, because its
 * message, request and stack can contain the API key.
 * @param code the form of the platform's error codes
 */
export const requestFailure = (thrown: unknown, code = nodeCode): OrderLicenseError => {
  if (isOrderLicenseError(thrown)) return thrown;
  const failure = (thrown ?? {}) as { code?: unknown; cause?: { code?: unknown }; httpCode?: unknown };
  const codes = [failure.code, failure.cause?.code, failure.httpCode];
  const reason = codes.find((value): value is string => typeof value === 'string' && code.test(value));
  return connectionError(reason, { sent: !unsent.has(reason) });
};
