import { connectionError, OrderLicenseError, RateLimitError } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { errorMetaKey, errorResult } from './result.ts';

const full = { licenseKeys: false, personalData: false };

const textOf = (error: unknown) => {
  const { content, isError } = errorResult(error, full);
  expect(isError).toBe(true);
  return content[0]?.type === 'text' ? content[0].text : '';
};

test("an error result also has the error's fields, for programs, and the request's ID, for the shop's support", () => {
  const serverText = 'a\u200b\u3164b\u{E0100}';
  const limited = new RateLimitError('server', 60_000, { status: 429, requestId: 'req_42', serverText });
  expect(textOf(limited)).toContain(' Request ID: req_42.');
  expect(JSON.parse(JSON.stringify(errorResult(limited, full)._meta))).toEqual({
    'io.github.order-license/error': {
      code: 'rate_limited',
      detail: 'The API returned status 429',
      advice: 'Call again in 60 s.',
      status: 429,
      requestId: 'req_42',
      retryable: true,
      retryAfterMs: 60_000,
      serverText: 'ab',
    },
  });
  const lost = errorResult(connectionError('ECONNRESET'), full);
  expect(lost._meta?.[errorMetaKey]).toMatchObject({ reason: 'ECONNRESET' });
  expect(errorResult(new Error('canary'), full)._meta?.[errorMetaKey]).toMatchObject({ code: 'internal' });
});

test.each(['licenseKeys', 'personalData'])("omits the API's message if %s are masked [S-90]", (kind) => {
  const error = new OrderLicenseError('server', { detail: 'The service failed', status: 500, serverText: 'canary' });
  const masked = errorResult(error, { ...full, [kind]: true });
  expect(masked.content).toEqual([{ type: 'text', text: 'server: The service failed.' }]);
  expect(JSON.stringify(masked)).not.toContain('canary');
});

test("removes e-mail addresses from the API's message if personal data is masked", () => {
  const error = new OrderLicenseError('not_located', { detail: 'The list has "B-7 for anna@shop.example" there' });
  const masked = errorResult(error, { ...full, personalData: true });
  expect(JSON.stringify(masked)).not.toContain('anna');
  expect(masked._meta?.[errorMetaKey]).toMatchObject({ detail: 'The list has "B-7 for ****" there' });
});

test('if anything is masked, an error quotes neither the Content-Type header nor the Server header', () => {
  const received = 'text/canary, 512 bytes, server: canary (Debian)';
  const detail = 'The response with status 502 is not the API\u2019s';
  const fields = { detail, advice: 'Check the address.', status: 502, received };
  const error = new OrderLicenseError('invalid_response', fields);
  const { content, _meta } = errorResult(error, { licenseKeys: true, personalData: false });
  expect(JSON.stringify([content, _meta])).not.toContain('canary');
  expect(textOf(error)).toContain('server: canary (Debian)). Check the address.');
});

test('if anything is masked, a search error shows dates only in their documented format', () => {
  const between = { newer: 'B-9', older: 'B-7', newerAt: '2026-01-31 08:00:00', olderAt: 'canary' };
  const search = { between, searched: 2, total: 9, requests: 1, oldest: 'canary', example: 'B-9' };
  const error = new OrderLicenseError('not_located', { detail: 'The order was not found', search });
  expect(errorResult(error, { ...full, licenseKeys: true })._meta?.[errorMetaKey]).toMatchObject({
    search: { between: { ...between, olderAt: '****' }, searched: 2, total: 9, requests: 1, oldest: '****' },
  });
});
