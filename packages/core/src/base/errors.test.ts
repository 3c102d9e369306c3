import { inspect } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import { checkApiKey } from '../base/check-api-key.ts';
import { nothingThere, openEnvelope } from '../call/envelope.ts';
import { getOrder, listOrders } from '../call/operations.ts';
import { checkBaseUrl } from './base-url.ts';
import { argumentError, isOrderLicenseError, isRateLimitError, OrderLicenseError, RateLimitError } from './errors.ts';
import { bodyTooLargeError, connectionError, timeoutError } from './host-errors.ts';
import { stopError } from './stops.ts';

const thrownBy = (make: () => unknown): OrderLicenseError => {
  try {
    make();
  } catch (error) {
    if (isOrderLicenseError(error)) return error;
  }
  throw new Error('No error of this library was thrown.');
};

const responseError = (status: number, text: string): OrderLicenseError =>
  thrownBy(() => openEnvelope({ status, headers: {}, body: new TextEncoder().encode(text) }, 'key', nothingThere));

const urls = ['', 'x', 'http://shop.example/api/v1', 'https://shop.example', 'https://u:p@shop.example/api/v1'];
const statuses = [301, 400, 401, 403, 404, 418, 429, 500, 503];
const errors: OrderLicenseError[] = [
  ...statuses.map((status) => responseError(status, '{"error":"x"}')),
  ...['', 'null', '[]', '{}', '{"error":"x"}', '{"data":[]}'].map((text) => responseError(200, text)),
  ...urls.map((url) => thrownBy(() => checkBaseUrl(url))),
  ...['', 'a b'].map((key) => thrownBy(() => checkApiKey(key))),
  ...[0, 51].map((perPage) => thrownBy(() => listOrders({ perPage }))),
  thrownBy(() => listOrders({ status: 'paid' as never })),
  thrownBy(() => getOrder('B-1')),
  new RateLimitError('local', 12_345),
  connectionError('ECONNRESET'),
  connectionError(),
  timeoutError(14_006.07),
  bodyTooLargeError(1_000),
  stopError({ signal: AbortSignal.abort() }) as OrderLicenseError,
];

test('every error says what happened and, in a separate sentence, what to do', () => {
  for (const { message, detail, received, advice, code } of errors) {
    const what = received === undefined ? detail : `${detail} (${received})`;
    expect(message).toBe(advice === undefined ? `${what}.` : `${what}. ${advice}`);
    expect(detail).toMatch(/^[A-Z`][^!?]*[^.]$/);
    expect(detail).not.toMatch(/[.;] |\d\.\d/);
    if (advice !== undefined) expect(advice).toMatch(/^[A-Z].*\.$/);
    else if (code !== 'aborted') expect(detail).toContain(' must be ');
  }
});

test('a program can add a sentence to an error’s advice', () => {
  const error = new RateLimitError('server', 60_000).addAdvice('Or use another key.');
  expect(error).toMatchObject({ advice: 'Call again in 60 s. Or use another key.', source: 'server' });
  expect(error.message).toBe('The API returned status 429. Call again in 60 s. Or use another key.');
  expect(argumentError('It is wrong').addAdvice('Mind it.').message).toBe('It is wrong. Mind it.');
});

test('marks an error as retryable if a later attempt may succeed', () => {
  for (const { code, received, retryable } of errors) {
    const isEmpty = received === 'no content type, 0 bytes';
    expect(retryable).toBe(isEmpty || ['rate_limited', 'server', 'connection', 'timeout'].includes(code));
  }
});

test('recognizes an error by its brand, so that two copies of this library work together', () => {
  const fromElsewhere = Object.defineProperty(new Error('x'), Symbol.for('order-license.error'), { value: true });
  expect(isOrderLicenseError(fromElsewhere)).toBe(true);
  for (const other of [new Error('x'), null, undefined, 'x', {}]) expect(isOrderLicenseError(other)).toBe(false);
  expect(isRateLimitError(new RateLimitError('server', 1))).toBe(true);
  expect(isRateLimitError(argumentError('x'))).toBe(false);
});

test('a printed error shows only the fields that are set', () => {
  const [, fields = ''] = inspect(connectionError('ECONNREFUSED', { sent: false })).split(' {\n');
  const names = [...fields.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  expect(names.sort()).toEqual(['advice', 'attempts', 'code', 'detail', 'reason', 'retryable', 'sent']);
});

test('an error converted to JSON has every field but no stack', () => {
  const error = new RateLimitError('server', 59_999.2, { status: 429, serverText: 'slow down' });
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'RateLimitError',
    code: 'rate_limited',
    message: 'The API returned status 429. Call again in 60 s.',
    detail: 'The API returned status 429',
    advice: 'Call again in 60 s.',
    status: 429,
    serverText: 'slow down',
    retryable: true,
    attempts: 0,
    source: 'server',
    retryAfterMs: 60_000,
    retryAt: error.retryAt.toISOString(),
  });
  expect(inspect(new OrderLicenseError('server', { detail: 'x' }))).not.toContain('Symbol(order-license');
});

test('after `isOrderLicenseError`, checking `code` narrows the type', () => {
  const error: unknown = new RateLimitError('server', 5_000);
  if (!isOrderLicenseError(error)) throw error;
  if (error.code !== 'rate_limited') {
    expectTypeOf(error).not.toHaveProperty('source');
    throw error;
  }
  expectTypeOf(error).toEqualTypeOf<RateLimitError>();
  expect(error.retryAfterMs).toBe(5_000);
});
