import { gzipSync } from 'node:zlib';
import { plantedKey, plantedLicense } from '@order-license/testing/canary';
import { fuzzJson, fuzzText } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';

/** Responses of a hostile API, or of anything in front of it. */
export interface FuzzAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Generates mostly `value`, and sometimes any other JSON value. */
const or = (value: string) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fuzzJson });

const key = JSON.stringify(plantedLicense);
const code = fc
  .tuple(or('1'), or(key), or('"retail"'), or('"https://x.test/a?key=1"'), or('null'))
  .map(([id, key, type, url, none]) => {
    return `{"id":${id},"license_key":${key},"code_typ":${type},"download_url_64":${url},"download_url_32":${none}}`;
  });
const item = fc
  .tuple(or('1'), or('"Ware"'), or('2'), fc.array(code, { maxLength: 3 }), or('null'), fc.boolean())
  .map(([id, name, quantity, codes, other, whole]) => {
    return `{"id":${id},"product_name":${name},"menge":${quantity},"license_codes":${whole ? `[${codes.join()}]` : other}}`;
  });
const order = fc
  .tuple(or('7'), or('"B-1"'), or('"bezahlt"'), or('"1.00"'), fc.array(item, { maxLength: 3 }), or('{}'))
  .map(([id, number, status, total, items, address]) => {
    return `{"id":${id},"bestellnummer":${number},"status":${status},"gesamtpreis_brutto":${total},"created_at":"2026-01-01 00:00:00","items":[${items.join()}],"billing_address":${address}}`;
  });
const list = fc
  .tuple(fc.array(order, { maxLength: 4 }), or('1'), or('50'), or('4'), or('1'), or('{}'))
  .map(([orders, page, perPage, total, pages, further]) => {
    return `{"orders":[${orders.join()}],"pagination":{"page":${page},"per_page":${perPage},"total":${total},"pages":${pages}},"further":${further}}`;
  });
const user = fc
  .tuple(or('1'), or('"a@b.test"'), fuzzJson)
  .map(([id, email, further]) => `{"user_id":${id},"email":${email},"__proto__":${further}}`);

const payload = fc.oneof(order, list, user, fuzzJson);
const envelope = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(or('200'), payload).map(([status, data]) => `{"status":${status},"data":${data}}`) },
  {
    weight: 2,
    arbitrary: fuzzText.map((text) => `{"status":400,"error":${JSON.stringify(`${text} ${plantedKey} ${text}`)}}`),
  },
  { weight: 1, arbitrary: fuzzJson },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 5_000 }).map((depth) => `{"data":${'['.repeat(depth)}`) },
);

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * The bytes of a response body: correct, with a byte order mark, truncated, invalid UTF-8, or in a different encoding.
 */
const body: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: envelope.map(utf8) },
  { weight: 1, arbitrary: envelope.map((text) => utf8(`\ufeff${text}`)) },
  { weight: 1, arbitrary: fc.tuple(envelope, fc.nat()).map(([text, at]) => utf8(text).subarray(0, at % 200)) },
  {
    weight: 1,
    arbitrary: fc.tuple(envelope, fc.nat(), fc.integer({ min: 128, max: 255 })).map(([text, at, byte]) => {
      const bytes = utf8(text);
      bytes[at % bytes.length] = byte;
      return bytes;
    }),
  },
  { weight: 1, arbitrary: envelope.map((text) => new Uint8Array(Buffer.from(text, 'utf16le'))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }) },
);

const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  { weight: 3, arbitrary: fc.constantFrom(201, 204, 206, 301, 304, 308, 400, 401, 403, 404, 405, 418, 429, 500, 503) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) },
);

const headers: fc.Arbitrary<Record<string, string>> = fc
  .record({
    'content-type': fc.oneof(fc.constant('application/json'), fuzzText),
    'retry-after': fc.oneof(
      fc.constantFrom('1', '-1', '1e9', '99999999999', 'Thu, 01 Jan 2099 00:00:00 GMT'),
      fuzzText,
    ),
    date: fc.oneof(fc.constant('Thu, 01 Jan 1970 00:00:00 GMT'), fuzzText),
    location: fc.constant(`https://evil.example/?${plantedKey}`),
    'set-cookie': fuzzText,
  })
  .chain((all) => fc.subarray(Object.entries(all)).map((some) => Object.fromEntries(some)));

export const fuzzAnswer: fc.Arbitrary<FuzzAnswer> = fc.record({ status, headers, body });

/** A whole response as bytes on the wire. Its status line and headers can be malformed. */
export const fuzzBytes: fc.Arbitrary<Buffer> = fc
  .record({
    answer: fuzzAnswer,
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'ICY'),
    code: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fuzzText }),
    length: fc.constantFrom('right', 'right', 'right', 'less', 'more', 'twice', 'none', 'chunked', 'badChunk'),
    encoding: fc.constantFrom(undefined, undefined, undefined, 'gzip', 'wrongGzip', 'br', 'deflate', 'x'),
  })
  .map(({ answer, version, code, length, encoding }) => {
    const plain = Buffer.from(answer.body);
    const bytes = encoding === 'gzip' ? gzipSync(plain) : plain;
    const lines = [`${version} ${code ?? answer.status} Fine`, 'connection: close'];
    for (const [name, value] of Object.entries(answer.headers)) lines.push(`${name}: ${value}`);
    if (encoding) lines.push(`content-encoding: ${encoding === 'wrongGzip' ? 'gzip' : encoding}`);
    const size = { right: bytes.length, less: bytes.length >> 1, more: bytes.length + 9, twice: bytes.length }[
      length as 'right'
    ];
    if (size !== undefined) lines.push(`content-length: ${size}`);
    if (length === 'twice') lines.push(`content-length: ${bytes.length + 1}`);
    const chunked = length === 'chunked' || length === 'badChunk';
    if (chunked) lines.push('transfer-encoding: chunked');
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
    if (!chunked) return Buffer.concat([head, bytes]);
    const start = Buffer.from(`${bytes.length.toString(16)}${length === 'badChunk' ? 'zz' : ''}\r\n`);
    return Buffer.concat([head, start, bytes, Buffer.from('\r\n0\r\n\r\n')]);
  });
