import { createSharedStore, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { openSqliteTable } from './sqlite-table.ts';
import { defaultStorePath } from './store-path.ts';

export interface SqliteStoreOptions extends SharedStoreOptions {
  /** The file to share; it and its folder are made if they are not there. @default in the state folder of the user */
  path?: string | undefined;
}

/**
 * A rate-limit store in a file, for all processes of one machine and user (§8: the limit is per key, whoever sends).
 * A process that dies gives its permits back by time alone. A damaged file is emptied and used again. Needs Node's own SQLite and nothing else.
 * @throws `configuration` for options that cannot be right
 */
export const createSqliteStore = (options: SqliteStoreOptions): SharedStore => {
  const path = options.path ?? defaultStorePath();
  return createSharedStore(options, {
    kind: 'sqlite',
    open: (key, holdMs) => openSqliteTable({ path, isOwnPath: options.path === undefined, key, holdMs }),
    explain: (error) => `${path}: ${error instanceof Error ? error.message : 'cannot be used'}`,
  });
};
