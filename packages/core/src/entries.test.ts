import { expect, test } from 'vitest';
import * as node from './index.ts';
import * as host from './portable/host.ts';
import * as portable from './portable/index.ts';

test('the Node entry exports all that the portable entry does', () => {
  expect(Object.keys(node)).toEqual(expect.arrayContaining(Object.keys(portable)));
});

test('what only hosts need is in the host entry alone', () => {
  const others = [...Object.keys(node), ...Object.keys(portable)];
  expect(Object.keys(host).filter((name) => others.includes(name))).toEqual([]);
});
