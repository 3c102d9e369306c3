import { expect, test } from 'vitest';
import * as node from './index.ts';
import * as host from './portable/host.ts';
import * as portable from './portable/index.ts';

test('the Node entry exports everything that the portable entry exports', () => {
  expect(Object.keys(node)).toEqual(expect.arrayContaining(Object.keys(portable)));
});

test('exports that only hosts need are in the host entry alone', () => {
  const others = [...Object.keys(node), ...Object.keys(portable)];
  expect(Object.keys(host).filter((name) => others.includes(name))).toEqual([]);
});
