import './node/check-node.ts'; // before undici

export { createClient, type NodeClientOptions } from './node/client.ts';
export { createNodeHost } from './node/host.ts';
export { createRedisStore, type RedisStoreOptions } from './node/stores/redis-store.ts';
export type { SendCommand } from './node/stores/redis-table.ts';
export type { SharedStore, SharedStoreOptions } from './node/stores/shared-store.ts';
export { createSqliteStore, type SqliteStoreOptions } from './node/stores/sqlite-store.ts';
export * from './portable/index.ts';
