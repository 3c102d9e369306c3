import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../e2e/redis/debian-package.ts';
import { startRedis } from '../../../e2e/redis/redis-server.ts';

/** A store in which several processes count their requests together. */
export interface OpenStore {
  /** The value of ORDER_LICENSE_STORE for this store. */
  setting: string;
  close(): Promise<void>;
}

const openSqlite = async (): Promise<OpenStore> => {
  const folder = mkdtempSync(join(tmpdir(), 'order-license-soak-'));
  return { setting: `sqlite:${join(folder, 'store.sqlite')}`, close: async () => rmSync(folder, { recursive: true }) };
};

/** Returns functions that open the stores available on this system: SQLite, and Redis if it is installed. */
export const findStores = (): (() => Promise<OpenStore>)[] => {
  const redis = findProgram('redis-server');
  if (!redis) {
    console.error("redis-server is not tested: it is neither on the PATH nor among this system's packages");
    return [openSqlite];
  }
  const openRedis = async (): Promise<OpenStore> => {
    const { url, kill } = await startRedis(redis);
    return { setting: url, close: kill };
  };
  return [openRedis, openSqlite];
};
