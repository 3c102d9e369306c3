import './node/check-node.ts'; // before undici

export { createClient, type NodeClientOptions } from './node/node-client.ts';
export { createNodeHost } from './node/node-host.ts';
export type { SendCommand } from './pace/redis-connection.ts';
export { createRedisStore, type RedisStoreOptions } from './pace/redis-store.ts';
export type { SharedStore } from './pace/shared-store.ts';
export { createSqliteStore, type SqliteStoreOptions } from './pace/sqlite-store.ts';
export type { SharedStoreOptions } from './pace/store-options.ts';
export * from './portable.ts';
