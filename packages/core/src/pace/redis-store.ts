import type { OptionNames } from '../base/check-options.ts';
import { checkRedisUrl, openRedis, type RedisConnection } from './redis-connection.ts';
import { createRedisTable, type SendCommand } from './redis-table.ts';
import { createSharedStore, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { checkStoreOptions, sharedOptionNames } from './store-options.ts';

export interface RedisStoreOptions extends SharedStoreOptions {
  /**
   * Redis or Valkey, version 7 or later: its address (`redis://` or `rediss://`; needs the package `@redis/client`), or
   * a function that sends a command with your own client, such as `(...words) => client.sendCommand(words)` for
   * node-redis and `(...words) => client.call(...words)` for ioredis. While Redis is unavailable, such a client should
   * fail instead of queueing (`disableOfflineQueue`, `enableOfflineQueue: false`); otherwise a restart that lost the
   * data goes unnoticed.
   */
  redis: string | SendCommand;
}

const optionNames: OptionNames<RedisStoreOptions> = { ...sharedOptionNames, redis: true };

/**
 * A rate-limit store in Redis, for processes on any number of machines (§8: the limit is per key). Its key expires by
 * itself, and the permits of a crashed process return only when they expire.
 * @throws `configuration` for invalid options
 */
export const createRedisStore = (given: RedisStoreOptions): SharedStore => {
  const { redis, ...options } = checkStoreOptions(given, optionNames);
  const connect = connectionOf(redis);
  return createSharedStore(options, {
    kind: 'redis',
    open: async (key, holdMs) => createRedisTable({ ...(await connect()), key, holdMs }),
    explain,
  });
};

const connectionOf = (redis: string | SendCommand): (() => Promise<RedisConnection>) => {
  if (typeof redis === 'function') return async () => ({ sendCommand: redis, close: () => undefined });
  const url = checkRedisUrl(redis);
  return () => openRedis(url);
};

/**
 * An error code such as `ECONNREFUSED`, or the code at the start of a Redis reply, such as `WRONGPASS`; nothing else.
 */
const explain = (error: unknown): string => {
  const { code, message = '' }: Partial<NodeJS.ErrnoException> = error instanceof Error ? error : {};
  if (code === 'ERR_MODULE_NOT_FOUND') return 'Redis: the package @redis/client is not installed';
  const known = [code, message.split(' ')[0]].find((word) => word && /^[A-Z][A-Z_]+$/.test(word));
  return known ? `Redis: ${known}` : 'Redis cannot be used';
};
