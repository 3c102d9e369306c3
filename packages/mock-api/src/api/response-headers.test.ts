import { expect, test } from 'vitest';
import { createEngine } from '../engine.ts';

const mock = createEngine({ limit: 'off', set: { caching: 'etag' } });

const send = (...tags: string[]) => {
  const rawHeaders = ['Authorization', `Bearer ${mock.keys.business}`, 'Accept', 'application/json'];
  for (const tag of tags) rawHeaders.push('If-None-Match', tag);
  return mock.answer({ method: 'GET', target: '/api/v1/me', rawHeaders, secure: false }).response;
};
const etag = send().headers.etag as string;

test.each([
  ['alone', [etag]],
  ['in a list', [`"other", ${etag},"third"`]],
  ['in a second header', ['"other"', etag]],
  ['as weak', [`W/${etag}`]],
  ['as weak in a list', [`W/"other" , W/${etag}`]],
  ['by a star', ['*']],
])('returns 304 if If-None-Match contains the tag %s [U-55]', (_, tags) => {
  expect(send(...tags)).toMatchObject({ status: 304, body: '', headers: { etag } });
});

test.each([['"other"'], [`x${etag}`], [etag.slice(1, -1)], [`w/${etag}`], ['']])(
  'returns 200 for If-None-Match: %s [U-55]',
  (tag) => {
    expect(send(tag)).toMatchObject({ status: 200, headers: { etag } });
  },
);
