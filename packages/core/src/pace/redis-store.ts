import { configurationError } from '../base/errors.ts';
import { readRedisAddress } from './redis-address.ts';
import {
  openRedis,
  type RedisConnection,
  type RedisModule,
  type SendCommand,
  withTimeout,
} from './redis-connection.ts';
import { redisProblem } from './redis-problem.ts';
import { createSharedStore, type SharedRecord, type SharedStore, type SharedStoreOptions } from './shared-store.ts';

/** The address of a Redis or Valkey, version 7 or later, and the package that connects to it. */
interface AtAddress {
  /** Such as `redis://user:password@host:6379/0`, or `rediss://…` with TLS; `valkey://` and `valkeys://` are the same. */
  redis: string;
  /**
   * Imports the package: `() => import('@redis/client')`, or `() => import('redis')`. Because the `import` is in
   * your program, bundlers include the package only in programs that use it.
   */
  client: () => Promise<RedisModule>;
}

/** Your own client of a Redis or Valkey, version 7 or later. */
interface OwnClient {
  /**
   * Sends one command: `(...words) => client.sendCommand(words)` for node-redis, and `(...words) =>
   * client.call(...words)` for ioredis. While Redis is unavailable, the client should fail instead of queueing commands
   * (`disableOfflineQueue`, `enableOfflineQueue: false`).
   */
  redis: SendCommand;
  client?: undefined;
}

export type RedisStoreOptions = SharedStoreOptions & (AtAddress | OwnClient);

/**
 * Creates a rate-limit store in Redis, for processes on any number of machines (§8: the limit is per key). The Redis
 * key expires by itself, and the permits of a crashed process return only when they expire.
 * @throws `configuration` for invalid options
 */
export const createRedisStore = ({ redis, client, ...options }: RedisStoreOptions): SharedStore => {
  /** @param tls whether the address uses TLS; undefined for the caller's own client */
  const create = (connect: () => Promise<RedisConnection>, tls?: boolean): SharedStore =>
    createSharedStore(options, {
      kind: 'redis',
      open: async (key) => openRedisRecord(await connect(), key),
      explain: (error) => redisProblem(error, tls),
    });

  if (typeof redis === 'function') return create(async () => ({ sendCommand: redis, close: () => undefined }));
  const { url, tls } = readRedisAddress(redis);
  if (client) return create(() => openRedis(url, client), tls);
  throw configurationError(
    '`redis` is an address, but `client`, which imports a Redis package, is missing',
    "Install `@redis/client` and pass `client: () => import('@redis/client')`.",
  );
};

/**
 * Replaces the record's text if it is still the expected one. KEYS contains the name of the record. ARGV contains the
 * expected text, the new text and its expiry in ms; to only read, ARGV is empty. If the script does not write, it
 * returns the current text and the time on Redis's clock, which all processes share. The script has no flags, so both
 * Redis 7 and Valkey accept it.
 */
const script = `
local found = redis.call('GET', KEYS[1]) or 'null'
if found == ARGV[1] then return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return { found, unpack(redis.call('TIME')) }`;

const openRedisRecord = ({ sendCommand, close }: RedisConnection, key: string): SharedRecord => {
  const run = (...words: string[]): Promise<unknown> =>
    withTimeout(sendCommand('EVAL', script, '1', `order-license:{${key}}`, ...words));

  return {
    async update(change) {
      for (let reply = await run(); Array.isArray(reply); ) {
        const [text = '', seconds, microseconds] = reply.map(String);
        const changed = change(text, Number(seconds) * 1_000 + Number(microseconds) / 1_000);
        if (!changed) return;
        reply = await run(text, changed.text, String(changed.keptMs));
      }
    },
    close,
  };
};
