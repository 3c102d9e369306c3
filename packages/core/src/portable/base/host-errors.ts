import { type ErrorFields, OrderLicenseError } from './errors.ts';

/**
 * For a host: no answer came.
 * @param reason an error code such as `ECONNREFUSED`, never a message: it could contain a key
 * @param fields `sent: false` only if it is certain that no part of the request left this machine
 */
export const connectionError = (reason?: string, fields: Pick<ErrorFields, 'sent'> = {}): OrderLicenseError =>
  new OrderLicenseError('connection', {
    detail: `The service could not be reached${reason ? ` (${reason})` : ''}`,
    advice: 'Check the base URL and the network, then try again.',
    reason,
    ...fields,
  });

/** For a host: no complete answer arrived within `timeoutMs`. `fields` as in {@link connectionError}. */
export const timeoutError = (timeoutMs: number, fields: Pick<ErrorFields, 'sent'> = {}): OrderLicenseError =>
  new OrderLicenseError('timeout', {
    detail: `No complete answer arrived within ${Math.round(timeoutMs)} ms`,
    advice: 'Try again later.',
    ...fields,
  });

/** For a host: the answer is longer than `maxBytes`. */
export const bodyTooLargeError = (maxBytes: number): OrderLicenseError =>
  new OrderLicenseError('invalid_response', {
    detail: `The answer is longer than ${maxBytes} bytes and was not read`,
    advice: 'Check the base URL.',
  });
