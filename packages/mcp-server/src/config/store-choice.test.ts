import { win32 } from 'node:path';
import { expect, test } from 'vitest';
import { describeStore, readStoreChoice } from './store-choice.ts';

test.each([
  ['memory', { kind: 'memory' }],
  ['sqlite', { kind: 'sqlite', path: undefined }],
  ['sqlite:/var/lib/x.db', { kind: 'sqlite', path: '/var/lib/x.db' }],
  ['rediss://cache:6380/1', { kind: 'redis', url: 'rediss://cache:6380/1', host: 'cache:6380' }],
  ['valkey://me:secret@cache', { kind: 'redis', url: 'redis://me:secret@cache', host: 'cache' }],
])('parses the store %s', (value, choice) => {
  expect(readStoreChoice(value)).toEqual(choice);
});

test('parses a Windows path on Windows', () => {
  const file = 'C:\\Users\\a b\\store.sqlite';
  expect(readStoreChoice(`sqlite:${file}`, win32)).toEqual({ kind: 'sqlite', path: file });
});

test.each([
  '',
  'file',
  'sqlite:',
  'sqlite:store.db',
  'sqlite:~/x.db',
  'sqlite::memory:',
  'redis',
  'redis://',
  'http://canary@cache',
])('rejects the store %o', (value) => {
  expect(() => readStoreChoice(value)).toThrow(/^ORDER_LICENSE_STORE must be/);
  expect(() => readStoreChoice(value)).not.toThrow(/canary/);
});

const wrongAddresses = ['redis://:canary@ret/xyz@cache', 'redis://:100%canary@cache', 'rediss://:canary@cache/prod'];
test.each(wrongAddresses)('rejects the Redis address %s, and says what is wrong without quoting it', (value) => {
  const text = /^ORDER_LICENSE_STORE: The Redis address must look like .* Percent-encode special characters/;
  expect(() => readStoreChoice(value)).toThrow(text);
  expect(() => readStoreChoice(value)).not.toThrow(/canary|cache/);
});

test('shows only the host and the port of a Redis address', () => {
  expect(describeStore(readStoreChoice('rediss://me:canary@cache:6380/1'))).toBe('Redis at cache:6380');
});
