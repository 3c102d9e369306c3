import { expect, test } from 'vitest';
import { connectionError } from './host-errors.ts';

test.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', 'is not trusted', 'NODE_USE_SYSTEM_CA=1'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'is not trusted', 'NODE_EXTRA_CA_CERTS'],
  ['INVALID_CA', 'is not trusted', 'NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', 'is not valid at this time', 'clock'],
  ['CERT_NOT_YET_VALID', 'is not valid at this time', 'clock'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is for a different host name', 'base URL'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'or requires one', 'client certificate that the API accepts'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'or requires one', 'client certificate that the API accepts'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'or requires one', 'client certificate that the API accepts'],
])('the TLS error %s is not retried, and its advice matches the cause', (code, detail, advice) => {
  expect(connectionError(code)).toMatchObject({
    reason: code,
    retryable: false,
    detail: expect.stringMatching(new RegExp(`${detail} \\(${code}\\)$`)),
    advice: expect.stringContaining(advice),
  });
});

test.each(['ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', undefined])(
  '%s is not a certificate error and is retried',
  (code) => {
    expect(connectionError(code)).toMatchObject({ retryable: true, detail: expect.stringContaining('be reached') });
  },
);
