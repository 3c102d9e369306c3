import {
  brotliCompressSync as br,
  deflateSync as deflate,
  deflateRawSync as deflateRaw,
  gzipSync as gzip,
  zstdCompressSync as zstd,
} from 'node:zlib';
import { expect, test } from 'vitest';
import { createClient } from '../index.ts';
import { serve } from '../serve.fixture.ts';

/** A client of a server that sends `body` with this status and `Content-Encoding`. */
const clientFor = async (coding: string | string[], body: Buffer, status = 200) => {
  const baseUrl = await serve((_, response) => {
    response.setHeader('content-encoding', coding);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  return createClient({ baseUrl, apiKey: 'key', retries: 0 });
};

const me = { user_id: 7, name: 'Müller' };
const plain = Buffer.from(JSON.stringify({ status: 200, data: me }));
const zeros = Buffer.alloc(33 * 1024 * 1024);
const error = (status: number) => Buffer.from(JSON.stringify({ status, error: 'no' }));

test.each<[string | string[], Buffer]>([
  // As the label says.
  ['gzip', gzip(plain)],
  ['GZIP', gzip(plain)],
  ['x-gzip', gzip(plain)],
  ['deflate', deflate(plain)],
  ['deflate', deflateRaw(plain)],
  ['br', br(plain)],
  ['zstd', zstd(plain)],
  ['gzip, br', br(gzip(plain))],
  ['deflate,zstd , x-gzip', gzip(zstd(deflate(plain)))],
  [['zstd', 'gzip'], gzip(zstd(plain))],
  // As browsers do, without the checksum at the end, and if other bytes follow.
  ['gzip', gzip(plain).subarray(0, -8)],
  ['gzip', Buffer.concat([gzip(plain), Buffer.from('\n<!-- cached -->')])],
  // With a wrong label.
  ...['none', 'UTF-8', 'binary', 'aws-chunked', 'identity'].map((coding): [string, Buffer] => [coding, plain]),
  ...['gzip', 'deflate', 'br', 'zstd', 'compress', 'gzip, gzip'].map((coding): [string, Buffer] => [coding, plain]),
  // Its first bytes could also be compressed data.
  ['deflate', Buffer.from(JSON.stringify({ status: 200, data: me }, null, 2))],
  ['aws-chunked, gzip', gzip(plain)],
  ['gzip, aws-chunked', gzip(plain)],
  ['gzip, gzip', gzip(plain)],
])('reads a body with the content coding %j, whether or not the label is right [U-56]', async (coding, body) => {
  expect(await (await clientFor(coding, body)).getMe()).toEqual(me);
});

test.each([
  [401, 'authentication'],
  [403, 'not_business_account'],
  [404, 'not_found'],
  [503, 'server'],
])('a %i keeps its meaning, whatever the label of its body [U-56]', async (status, code) => {
  for (const [coding, body] of [
    ['none', error(status)],
    ['gzip', error(status)],
    ['zstd', zstd(error(status))],
    ['compress', gzip(error(status))],
    ['gzip', gzip(zeros)], // more than 32 MiB
  ] as const) {
    await expect((await clientFor(coding, body, status)).getOrder(1)).rejects.toMatchObject({ code, status });
  }
});

test.each([
  ['compress', gzip(plain)],
  ['gzip', br(plain)],
  ['br, gzip', gzip(gzip(plain))],
])('names the coding %s of a body that cannot be decoded [U-56]', async (coding, body) => {
  await expect((await clientFor(coding, body)).getMe()).rejects.toMatchObject({
    code: 'invalid_response',
    detail: 'The response could not be decoded',
    received: expect.stringMatching(new RegExp(`^application/json, \\d+ bytes, content-encoding: ${coding}$`)),
  });
});

test.each([
  ['gzip', gzip(zeros)],
  ['deflate', deflate(zeros)],
  ['deflate', deflateRaw(zeros)],
  ['br', br(zeros)],
  ['zstd', zstd(zeros)],
  ['gzip, gzip', gzip(gzip(zeros))],
])('does not decode more than 32 MiB (%s)', async (coding, body) => {
  await expect((await clientFor(coding, body)).getMe()).rejects.toMatchObject({
    code: 'invalid_response',
    message: expect.stringContaining('33554432 bytes'),
  });
});
