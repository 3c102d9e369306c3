import { clearInterval, setInterval } from './real-time.ts';

/** Sends one command to Redis and resolves with its reply; any Redis client can do this. */
export type SendCommand = (command: string, ...args: string[]) => Promise<unknown>;

/** The package `@redis/client` or `redis`, reduced to what a store uses. */
export interface RedisModule {
  createClient(options: {
    url: string;
    socket: { reconnectStrategy: false };
    disableOfflineQueue: true;
    RESP: 2;
  }): RedisClient;
}

interface RedisClient {
  readonly isOpen: boolean;
  on(event: 'error', listener: () => void): unknown;
  unref(): void;
  connect(): Promise<unknown>;
  sendCommand(words: string[]): Promise<unknown>;
  destroy(): void;
}

export interface RedisConnection {
  sendCommand: SendCommand;
  /** Releases the connection, which closes once no store uses it. Later callers get a new one. */
  close(): void;
}

interface Shared {
  users: number;
  client: Promise<RedisClient>;
}

const byUrl = new Map<string, Shared>();

/**
 * Returns a connection to the Redis at `url`, shared by all stores of the process. The connection does not reconnect.
 */
export const openRedis = async (url: string, load: () => Promise<RedisModule>): Promise<RedisConnection> => {
  const shared = byUrl.get(url) ?? { users: 0, client: connect(url, load) };
  byUrl.set(url, shared);
  shared.users += 1;
  // A store also leaves because Redis no longer responds, so others must not join.
  const leave = (): void => {
    shared.users -= 1;
    if (byUrl.get(url) === shared) byUrl.delete(url);
  };
  const client = await shared.client.catch((error: unknown) => {
    leave();
    throw error;
  });
  return {
    sendCommand: (...words) => client.sendCommand(words),
    close() {
      leave();
      // Before version 6, destroying a closed client throws.
      if (shared.users === 0 && client.isOpen) client.destroy();
    },
  };
};

const connect = async (url: string, load: () => Promise<RedisModule>): Promise<RedisClient> => {
  const { createClient } = await load();
  const client = createClient({ url, socket: { reconnectStrategy: false }, disableOfflineQueue: true, RESP: 2 });
  client.on('error', () => undefined); // the failing commands report the cause
  client.unref(); // the connection does not keep an otherwise idle program alive
  try {
    await withTimeout(client.connect());
    return client;
  } catch (error) {
    if (client.isOpen) client.destroy();
    throw error;
  }
};

/** If Redis takes longer than this, ms, it counts as unavailable, so that callers do not have to wait for it. */
const patienceMs = 1_000;

/**
 * The parts of that wait. A timer that fires late, because this process was busy, fires before the replies that arrived
 * meanwhile are read. Each part waits for another turn of the event loop, and connecting takes only a few turns.
 */
const parts = 10;

/**
 * Rejects if the reply takes longer than `ms`; time in which this process is busy counts only as one part of it. The
 * timer also keeps the process alive, which the connection does not.
 */
export const withTimeout = async <Reply>(reply: Promise<Reply>, ms = patienceMs): Promise<Reply> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let left = parts;
  const timer = setInterval(() => {
    left -= 1;
    if (left === 0) reject(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
  }, ms / parts);
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearInterval(timer);
  }
};
