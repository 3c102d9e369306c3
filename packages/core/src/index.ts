import './node/check-node.ts'; // must be imported before undici

export type { Fetch } from './fetch-host.ts';
export { createClient, type NodeClientOptions } from './node/node-client.ts';
export { createNodeHost } from './node/node-host.ts';
export { createRedisStore } from './pace/redis-store.ts';
export type { SharedStore } from './pace/shared-store.ts';
export { createSqliteStore } from './pace/sqlite-store.ts';
export * from './portable.ts';
