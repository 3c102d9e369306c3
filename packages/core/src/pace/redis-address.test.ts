import { expect, test } from 'vitest';
import { readRedisAddress } from './redis-address.ts';

test.each([
  ['redis://cache', { url: 'redis://cache', host: 'cache', tls: false }],
  ['redis://cache:6379/', { url: 'redis://cache:6379/', host: 'cache:6379', tls: false }],
  ['redis://cache_1:6379/15', { url: 'redis://cache_1:6379/15', host: 'cache_1:6379', tls: false }],
  ['REDISS://[::1]:6380', { url: 'rediss://[::1]:6380', host: '[::1]:6380', tls: true }],
  ['redis://:secret@cache', { url: 'redis://:secret@cache', host: 'cache', tls: false }],
  ['redis://me:p%40ss:w^rd+@cache/1', { url: 'redis://me:p%40ss:w^rd+@cache/1', host: 'cache', tls: false }],
  ['valkey://me:secret@cache', { url: 'redis://me:secret@cache', host: 'cache', tls: false }],
  ['valkeys://cache:6380', { url: 'rediss://cache:6380', host: 'cache:6380', tls: true }],
])('reads the address %s', (address, read) => {
  expect(readRedisAddress(address)).toEqual(read);
});

test.each([
  'cache:6379',
  'redis://',
  'redis://cache:port',
  'redis://cache:65536',
  'redis://cache/prod',
  'redis://cache/0/1',
  'redis://cache?db=1',
  'redis://cache#0',
  'redis://ca%63he',
  'redis://bücher.example',
  'redis://one,two',
  'redis+sentinel://cache',
  'unix:///run/redis.sock',
  ' redis://cache',
])('rejects the address %s', (address) => {
  expect(() => readRedisAddress(address)).toThrow(
    expect.objectContaining({
      code: 'configuration',
      detail: expect.stringMatching(/^The Redis address must look like `redis:.* nothing after the database number/),
    }),
  );
});

test.each([
  'redis://me:topsec@ret/xyz@cache',
  'redis://:topsec@ret@cache',
  'redis://:topsec/ret@cache:6379',
  'redis://:topsec?ret@cache:6379',
  'redis://:topsec#ret@cache:6379',
  'redis://:6379/topsec@cache',
  'redis://:100%topsec@cache',
  'redis://:topsec%FC@cache',
  'redis://:topsec ret@cache',
  'redis://me:top[sec@cache',
  'redis://topsec@cache',
])('rejects the address %s without quoting it, and says how to write the password', (address) => {
  expect(() => readRedisAddress(address)).toThrow(
    /Percent-encode special characters in the user name and the password/,
  );
  expect(() => readRedisAddress(address)).not.toThrow(/topsec|ret[/@]|cache/);
});
