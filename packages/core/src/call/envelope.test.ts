import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOrderLicenseError, type OrderLicenseError } from '../base/errors.ts';
import type { HttpResponse } from '../base/host.ts';
import { type Meaning, nothingThere, openEnvelope } from './envelope.ts';
import { getMe, getOrder, listOrders } from './operations.ts';

const key = 'olk_canary;key_1234567890';

const response = (status: number, body: unknown, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  status,
  headers,
  body:
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** Returns the error that a response causes. */
const failureOf = (
  status: number,
  body: unknown,
  headers: HttpResponse['headers'] = {},
  notFound: Meaning = getOrder(1).notFound,
): OrderLicenseError => {
  try {
    openEnvelope(response(status, body, headers), key, notFound);
  } catch (error) {
    if (isOrderLicenseError(error)) return error;
    throw error;
  }
  throw new Error('The envelope was opened.');
};

test.each([
  [{ status: 200, data: { name: 'Müller' }, other: 2 }],
  [{ data: { name: 'Müller' }, error: null }],
  [{ status: '200', data: { name: 'Müller' } }],
  [{ status: 500, data: { name: 'Müller' } }],
  ['\ufeff{"status":200,"data":{"name":"Müller"}}'],
  ['\ufeff\ufeff\n\ufeff{"data":{"name":"Müller"}}\n\ufeff'],
])('returns only the content of `data` from the body %j, with any content type [S-09 S-11 U-44 U-45]', (body) => {
  const html = response(200, body, { 'content-type': 'text/html' });
  expect(openEnvelope(html, key, nothingThere)).toEqual({ name: 'Müller' });
});

test.each([
  ['JSON in Latin-1', Buffer.from('{"data":{"name":"Müller"}}', 'latin1')],
  ['a maintenance page in Latin-1', Buffer.from('<h1>Wartung läuft</h1>', 'latin1')],
  ['a response that was cut within an umlaut', Buffer.from('{"data":{"name":"Mü').subarray(0, -1)],
])('%s is retryable, whatever coding its headers still name [S-05 U-45]', (_, body) => {
  const error = failureOf(200, body, { 'content-encoding': 'gzip' });
  expect(error).toMatchObject({ code: 'invalid_response', retryable: true });
  expect(error.message).toContain('not a JSON object in UTF-8');
});

test('a Brotli body that the host could not decode is not read as text, even if it begins like JSON', () => {
  const orders = Array.from({ length: 4_000 }, (_, n) => ({ id: n, name: Math.sin(n) }));
  const body = brotliCompressSync(JSON.stringify({ status: 200, data: { orders } }));
  expect(String.fromCharCode(body[0] as number)).toBe('[');
  expect(failureOf(200, body, { 'content-encoding': 'br' }).message).toContain('could not be decoded');
});

test.each([
  [400, 'bad_request', 'Check them'],
  [401, 'authentication', 'create a new one'],
  [403, 'not_business_account', 'VAT ID'],
  [404, 'not_found', 'Check the ID'],
  [429, 'rate_limited', 'Call again in 60 s'],
  [500, 'server', 'Try again later'],
  [502, 'server', 'Try again later'],
  [503, 'server', 'Try again later'],
  [408, 'server', 'did not receive the request in time (408). Try again later'],
  [421, 'server', 'on this connection (421). Try again later'],
  [425, 'server', 'too early (425). Try again later'],
  [418, 'invalid_response', 'Check the base URL'],
  [301, 'invalid_response', 'redirects to another address (301)'],
  // Some caches send it unasked. It is not a redirect.
  [304, 'invalid_response', 'Check the base URL'],
])(
  'reports status %i as `%s` and says what to do [S-04 S-10 S-72 S-74 S-75 S-76 S-77 U-27 U-55]',
  (status, code, words) => {
    const error = failureOf(status, { status, error: 'Worte des Dienstes' });
    expect(error).toMatchObject({ code, status, serverText: 'Worte des Dienstes' });
    expect(error).not.toHaveProperty('received');
    expect(error.message).toContain(words);
  },
);

test('rejects a response with status 200 that contains an error or no data [U-43]', () => {
  for (const body of [{ status: 401 }, { data: { orders: [] } }]) {
    const error = failureOf(200, { ...body, error: 'no' });
    expect(error).toMatchObject({ code: 'invalid_response', serverText: 'no' });
  }
  for (const data of [undefined, null, [], 'text', 5]) {
    expect(failureOf(200, { status: 200, data })).toMatchObject({ code: 'invalid_response' });
  }
});

test.each([401, 403])(
  'if a %i has no string `error`, reports its status and that the response did not come from the API [U-43]',
  (status) => {
    const html = '<html><title>Attention Required!</title></html>';
    const page = failureOf(status, html, { 'content-type': 'text/html; charset=UTF-8', server: 'cloudflare' });
    expect(page).toMatchObject({ code: 'invalid_response', reason: 'intermediary', status, retryable: false });
    expect(page).not.toHaveProperty('serverText');
    expect(page.message).toBe(
      `The response with status ${status} did not come from the API (text/html, 47 bytes, server: cloudflare). Check the base URL and any login page, bot protection, firewall or proxy between here and the API.`,
    );
    const noErrors = [{}, [], { status }, { error: { message: 'no' } }, { error: 5 }, { message: 'Forbidden' }];
    for (const body of ['', 'Forbidden', ...noErrors]) {
      expect(failureOf(status, body)).toMatchObject({ code: 'invalid_response', status, retryable: false });
    }
  },
);

test.each([
  [401, 'authentication'],
  [403, 'not_business_account'],
])('treats a %i with a string `error`, even an empty one, as a response from the API [S-90]', (status, code) => {
  for (const body of [{ error: 'no' }, { error: '' }, { status: 404, error: 'Order not found' }]) {
    const error = failureOf(status, body);
    expect(error).toMatchObject({ code, status });
    expect(error).not.toHaveProperty('reason');
  }
});

test('limits the length of the description of a response that isn’t from the API, and hides the key [S-70]', () => {
  const headers = { 'content-type': `text/${key}`, server: `${'x'.repeat(500)}\u202e; ${key}` };
  const { message } = failureOf(403, key, headers);
  expect(message).toContain('text/[API key]');
  expect(message).not.toContain(key);
  expect(message.length).toBeLessThan(300);
});

test.each([
  [200, 'The response is not a JSON object in UTF-8'],
  [429, 'The API returned status 429'],
  [502, 'The API returned server error 502'],
])(
  'if a response with status %i is not in the API’s format, `received` and the message describe it',
  (status, what) => {
    const headers = { 'content-type': 'text/html; charset=UTF-8', server: 'Apache (Debian)' };
    const { received, detail, message } = failureOf(status, '<html>', headers);
    expect(received).toBe('text/html, 6 bytes, server: Apache (Debian)');
    expect(detail).toBe(what);
    expect(message).toContain(`${what} (${received}). `);
  },
);

test('does not report a missing order for a JSON 404 without a string `error`, or for a compressed page in Latin-1 [S-75 U-28 U-43 U-45]', () => {
  const page = Buffer.from('<title>Seite nicht verfügbar</title>', 'latin1');
  const noRoute = { message: 'no Route matched with those values' };
  for (const body of [noRoute, {}, { status: 404 }, { error: { code: 5 } }, page]) {
    const error = failureOf(404, body, body === page ? { 'content-encoding': 'gzip' } : {});
    expect(error).toMatchObject({ code: 'invalid_response', status: 404 });
  }
});

test('the error for a 404 mentions an order only if one was requested [S-75 U-05 U-28]', () => {
  const returned = { status: 404, error: 'not found' };
  const nothing = 'The API was not found at this address (404). Check the base URL.';
  for (const { notFound } of [getMe, listOrders({}), listOrders({ page: 1 })]) {
    const error = failureOf(404, returned, {}, notFound);
    expect(error).toMatchObject({ code: 'invalid_response', status: 404, serverText: 'not found', message: nothing });
  }
  const beyond = failureOf(404, returned, {}, listOrders({ page: 7 }).notFound);
  expect(beyond).toMatchObject({ code: 'invalid_response', status: 404 });
  expect(beyond.message).toContain('Request an earlier page');
});

test('passes on the API’s message as one line of limited length, without the key [S-90]', () => {
  const error = failureOf(400, { status: 400, error: `bad\u0000 key\n${key}\u202e ${'x'.repeat(1000)}` });
  expect(error.serverText).toMatch(/^bad key \[API key\] x+$/);
  expect(error.serverText).toHaveLength(200);
  expect(JSON.stringify(error)).not.toContain(key);
});

test('if an error message has more than 100,000 characters, reports only their number', () => {
  const error = `${key} ${'%41'.repeat(40_000)}`;
  expect(failureOf(500, { status: 500, error }).serverText).toBe('(a message of 120026 characters)');
});

test('leaves out an error message that isn’t a string [U-42 U-43]', () => {
  for (const error of [{ message: 'x' }, ['x'], 5, null, '', '\n']) {
    expect(failureOf(400, { status: 400, error }).serverText).toBeUndefined();
  }
});

test('any bytes with status 200 result in data or, as with any other status, in an error that does not quote them [S-13 S-39 S-90]', () => {
  const secret = 'LICENSE-CANARY-AAAA-BBBB';
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.jsonValue().map((value) => JSON.stringify({ status: 200, data: value, license_key: secret })),
    fc.string().map((text) => `${text}${secret}`),
  );
  fc.assert(
    fc.property(fc.oneof(fc.constant(200), fc.integer({ min: 201, max: 599 })), bodies, (status, body) => {
      try {
        const data = openEnvelope(response(status, body), key, nothingThere);
        expect([status, Array.isArray(data)]).toEqual([200, false]);
      } catch (error) {
        if (!isOrderLicenseError(error)) throw error;
        expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(secret);
      }
    }),
    { numRuns: 1_000 },
  );
});
