import type { OptionNames } from '../base/check-options.ts';
import { createSharedStore, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { openSqliteTable } from './sqlite-table.ts';
import { checkStoreOptions, sharedOptionNames } from './store-options.ts';
import { defaultStorePath } from './store-path.ts';

export interface SqliteStoreOptions extends SharedStoreOptions {
  /** The file to share; created with its folder if missing. @default in the user's state folder */
  path?: string | undefined;
}

const optionNames: OptionNames<SqliteStoreOptions> = { ...sharedOptionNames, path: true };

/**
 * A rate-limit store in a file, for all processes of one machine and user (§8: the limit is per key). The permits of a
 * crashed process return only when they expire. A damaged file is emptied and used again. Needs only Node's own SQLite.
 * @throws `configuration` for invalid options
 */
export const createSqliteStore = (given: SqliteStoreOptions): SharedStore => {
  const { path = defaultStorePath(), ...options } = checkStoreOptions(given, optionNames);
  return createSharedStore(options, {
    kind: 'sqlite',
    open: (key, holdMs) => openSqliteTable({ path, isOwnPath: given.path === undefined, key, holdMs }),
    explain: (error) => `${path}: ${error instanceof Error ? error.message : 'cannot be used'}`,
  });
};
