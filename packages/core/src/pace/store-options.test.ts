import { expect, test } from 'vitest';
import { createRedisStore } from './redis-store.ts';
import { createSqliteStore } from './sqlite-store.ts';

const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'key' };

test.each([
  ['file', () => createSqliteStore({ ...service, ...{ file: '/tmp/limit.sqlite' } }), 'path'],
  ['rateLimit', () => createRedisStore({ ...service, redis: 'redis://127.0.0.1', ...{ rateLimit: {} } }), 'redis'],
])('a store refuses the unknown option `%s`', (name, create, own) => {
  const advice = expect.stringMatching(new RegExp(`^Options: baseUrl, .*, ${own}\\.$`));
  const detail = `Unknown option \`${name}\``;
  expect(create).toThrow(expect.objectContaining({ code: 'configuration', detail, advice }));
});
