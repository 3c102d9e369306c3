import { keptUntil, type PermitRecord } from './permits.ts';
import { checkRedisUrl, openRedis, type RedisConnection, type SendCommand, withTimeout } from './redis-connection.ts';
import { createSharedStore, type SharedRecord, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import type { Limit } from './store.ts';

export interface RedisStoreOptions extends SharedStoreOptions {
  /**
   * Redis or Valkey, version 7 or later: its address (`redis://` or `rediss://`; needs the package `@redis/client`), or
   * a function that sends a command with your own client, such as `(...words) => client.sendCommand(words)` for
   * node-redis and `(...words) => client.call(...words)` for ioredis. While Redis is unavailable, your own client
   * should fail instead of queueing commands (`disableOfflineQueue`, `enableOfflineQueue: false`).
   */
  redis: string | SendCommand;
}

/**
 * Creates a rate-limit store in Redis, for processes on any number of machines (§8: the limit is per key). The Redis
 * key expires by itself, and the permits of a crashed process return only when they expire.
 * @throws `configuration` for invalid options
 */
export const createRedisStore = ({ redis, ...options }: RedisStoreOptions): SharedStore => {
  if (typeof redis === 'string') checkRedisUrl(redis);
  const connect = async (): Promise<RedisConnection> =>
    typeof redis === 'string' ? openRedis(redis) : { sendCommand: redis, close: () => undefined };
  return createSharedStore(options, {
    kind: 'redis',
    open: async (key, limit) => openRedisRecord(await connect(), key, limit),
    explain,
  });
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

/** Maximum number of tries to write: if other processes are faster this often, something else is wrong. */
const maxTries = 100;

const openRedisRecord = ({ sendCommand, close }: RedisConnection, key: string, limit: Limit): SharedRecord => {
  /** Returns the record found, or undefined if a new one was written. Uses only one key, as Redis Cluster requires. */
  const run = async (...words: string[]) => {
    const reply = await withTimeout(sendCommand('EVAL', script, '1', `order-license:{${key}}`, ...words));
    if (!Array.isArray(reply)) return undefined;
    const [text, seconds, microseconds] = reply.map(String);
    return { text: text ?? '', at: Number(seconds) * 1_000 + Number(microseconds) / 1_000 };
  };

  return {
    async update(change) {
      let found = await run();
      for (let tries = 0; found && tries < maxTries; tries++) {
        const { text, at } = found;
        const record = change((JSON.parse(text) as PermitRecord | null) ?? undefined, at);
        if (JSON.stringify(record) === text) return;
        record.latest = at;
        const keptMs = Math.ceil(keptUntil(record, limit) - at);
        found = await run(text, JSON.stringify(record), String(keptMs));
        if (!found) return;
      }
      throw new Error('The record could not be written.');
    },
    close,
  };
};

/**
 * Describes an error by a code such as `ECONNREFUSED`, or by the code at the start of a Redis reply, such as
 * `WRONGPASS`; nothing else is shown.
 */
const explain = (error: unknown): string => {
  const { code, message = '' }: Partial<NodeJS.ErrnoException> = error instanceof Error ? error : {};
  if (code === 'ERR_MODULE_NOT_FOUND') return 'Redis: the package @redis/client is not installed';
  const known = [code, message.split(' ')[0]].find((word) => word && /^[A-Z][A-Z_]+$/.test(word));
  return known ? `Redis: ${known}` : 'Redis cannot be used';
};
