import { defaultLedgerPath } from './ledger-path.ts';
import { createSharedLedger, type SharedLedger, type SharedLedgerOptions } from './shared-ledger.ts';
import { openSqliteStore } from './sqlite-store.ts';

export interface SqliteLedgerOptions extends SharedLedgerOptions {
  /** The file to share; it and its folder are made if they are not there. @default in the state folder of the user */
  path?: string | undefined;
}

/**
 * A ledger in a file, for all processes of one machine and user (§8: the limit is per key, whoever sends).
 * A process that dies gives its permits back by time alone. A damaged file is emptied and used again. Needs Node's own SQLite and nothing else.
 * @throws `configuration` for options that cannot be right
 */
export const createSqliteLedger = (options: SqliteLedgerOptions): SharedLedger => {
  const path = options.path ?? defaultLedgerPath();
  return createSharedLedger(options, {
    kind: 'sqlite',
    open: (key, holdMs) => openSqliteStore({ path, isOwnPath: options.path === undefined, key, holdMs }),
    explain: (error) => `${path}: ${error instanceof Error ? error.message : 'cannot be used'}`,
  });
};
