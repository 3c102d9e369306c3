import { isUtf8 } from 'node:buffer';
// With named imports, a Node without zstd would fail before the client could say that it is too old.
import * as zlib from 'node:zlib';
import { codeOf } from '../base/checks.ts';
import { bodyTooLargeError } from '../base/host-errors.ts';

type Decoder = (body: Buffer, options: { finishFlush: number; maxOutputLength: number }) => Buffer;

/** As in `fetch`, a checksum at the end may be missing. For Brotli and zstd, this number selects their default. */
const finishFlush = zlib.constants.Z_SYNC_FLUSH;

/** The usual length of a header of gzip or deflate, by its first byte. */
const headerLengths: Record<number, number> = { 31: 10, 120: 2 };

/**
 * Decodes gzip and deflate. Some servers omit the header of deflate. If other bytes follow, only the data behind the
 * header can be decoded.
 */
const unzip: Decoder = (body, options) => {
  try {
    return zlib.unzipSync(body, options);
  } catch {
    return zlib.inflateRawSync(body.subarray(headerLengths[body[0] ?? 0]), options);
  }
};

const decoders = new Map<string, Decoder>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', unzip],
  ['br', zlib.brotliDecompressSync],
  ['zstd', zlib.zstdDecompressSync],
]);

/**
 * Undoes the content codings of a body, last one first. A coding that is unknown, or that the body doesn't have, is
 * skipped, because many servers label plain bodies. Runs at once, like `JSON.parse` after it: the body is in memory.
 * @param contentEncoding the codings, in the order in which they were applied
 * @throws `invalid_response` as soon as the body is longer than `maxBytes`
 */
export const decodeBody = (raw: Buffer, contentEncoding: string, maxBytes: number): Buffer => {
  let body = raw;
  for (const coding of contentEncoding.toLowerCase().split(',').reverse()) {
    const decode = decoders.get(coding.trim());
    // Text is plain already: compressed data is hardly ever valid UTF-8.
    if (!decode || isUtf8(body)) continue;
    try {
      body = decode(body, { finishFlush, maxOutputLength: maxBytes });
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLargeError(maxBytes);
    }
  }
  return body;
};
