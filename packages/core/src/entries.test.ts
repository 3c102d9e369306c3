import { expect, expectTypeOf, test } from 'vitest';
import * as fetchEntry from './fetch.ts';
import * as host from './for-hosts.ts';
import * as node from './index.ts';
import * as masking from './masking.ts';
import * as browser from './not-for-browsers.ts';
import * as portable from './portable.ts';

test.each([
  ['Node', node],
  ['fetch', fetchEntry],
  ['browser', browser],
])('the %s entry point exports everything that the portable entry point exports', (_, entry) => {
  expect(Object.keys(entry)).toEqual(expect.arrayContaining(Object.keys(portable)));
});

test.each([
  ['host', host],
  ['masking', masking],
])('no other entry point exports what the %s entry point exports', (_, entry) => {
  const others = [node, portable, host, masking].filter((other) => other !== entry).flatMap(Object.keys);
  expect(Object.keys(entry).filter((name) => others.includes(name))).toEqual([]);
});

test('every client option has an exported type', () => {
  expectTypeOf<node.NodeClientOptions['rateLimit']>().toEqualTypeOf<node.RateLimitOptions | undefined>();
  expectTypeOf<node.NodeClientOptions['store']>().toEqualTypeOf<node.RateLimitStore | undefined>();
  expectTypeOf<node.NodeClientOptions['onEvent']>().toEqualTypeOf<node.OnEvent | undefined>();
});
