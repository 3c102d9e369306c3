import './node/check-node.ts'; // before undici

export { createClient, type NodeClientOptions } from './node/node-client.ts';
export { createNodeHost } from './node/node-host.ts';
export { createRedisStore, type RedisStoreOptions } from './pace/redis-store.ts';
export type { SendCommand } from './pace/redis-table.ts';
export type { SharedStore, SharedStoreOptions } from './pace/shared-store.ts';
export { createSqliteStore, type SqliteStoreOptions } from './pace/sqlite-store.ts';
export * from './portable.ts';
