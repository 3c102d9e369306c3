import { type ErrorFields, OrderLicenseError } from './errors.ts';

/**
 * For a host: no answer came.
 * @param reason an error code such as `ECONNREFUSED`, never a message: it could contain a key
 * @param fields `sent: false` only if it is certain that no part of the request left this machine
 */
export const connectionError = (reason?: string, fields: Pick<ErrorFields, 'sent'> = {}): OrderLicenseError =>
  new OrderLicenseError('connection', {
    ...(isCertificateCode(reason)
      ? {
          detail: `The certificate of the service is not trusted (${reason})`,
          advice: 'If your network or the service uses its own CA, start Node.js with NODE_EXTRA_CA_CERTS.',
          retryable: false,
        }
      : {
          detail: `The service could not be reached${reason ? ` (${reason})` : ''}`,
          advice: 'Check the base URL and the network, then try again.',
        }),
    reason,
    ...fields,
  });

const isCertificateCode = (reason: string | undefined): boolean =>
  reason !== undefined && /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/.test(reason);

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
