import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
// With named imports, a Node without zstd would fail before the client could say that it is too old.
import * as zlib from 'node:zlib';
import { codeOf } from '../base/checks.ts';
import { bodyTooLargeError } from '../base/host-errors.ts';

type Decoder = (raw: Buffer, maxOutputLength: number) => Promise<Buffer>;

const [ungzip, unzlib, undeflate, unbrotli, unzstd] = [
  promisify(zlib.gunzip),
  promisify(zlib.inflate),
  promisify(zlib.inflateRaw),
  promisify(zlib.brotliDecompress),
  promisify(zlib.zstdDecompress),
];

/** As in `fetch`, a checksum at the end may be missing. */
const finishFlush = zlib.constants.Z_SYNC_FLUSH;

const gzip: Decoder = (raw, maxOutputLength) => ungzip(raw, { finishFlush, maxOutputLength });

const decoders = new Map<string, Decoder>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    (raw, maxOutputLength) => {
      // Some servers omit the zlib header, whose first byte ends in 8.
      const isRaw = ((raw[0] ?? 0) & 15) !== 8;
      return (isRaw ? undeflate : unzlib)(raw, { finishFlush, maxOutputLength });
    },
  ],
  ['br', (raw, maxOutputLength) => unbrotli(raw, { maxOutputLength })],
  ['zstd', (raw, maxOutputLength) => unzstd(raw, { maxOutputLength })],
]);

/**
 * Undoes the content codings of a body, last one first. A coding that is unknown, or that the body doesn't have, is
 * skipped, because many servers label plain bodies.
 * @param contentEncoding the codings, in the order in which they were applied
 * @throws `invalid_response` as soon as the body is longer than `maxBytes`
 */
export const decodeBody = async (raw: Buffer, contentEncoding: string, maxBytes: number): Promise<Buffer> => {
  let body = raw;
  for (const coding of contentEncoding.toLowerCase().split(',').reverse()) {
    const decode = decoders.get(coding.trim());
    // Text is plain already: compressed data isn't valid UTF-8.
    if (!decode || isUtf8(body)) continue;
    try {
      body = await decode(body, maxBytes);
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLargeError(maxBytes);
    }
  }
  return body;
};
