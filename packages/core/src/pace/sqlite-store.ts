import { homedir } from 'node:os';
import path from 'node:path';
import { sinceBoot } from './real-time.ts';
import { createSharedStore, type SharedRecord, type SharedStore, type SharedStoreOptions } from './shared-store.ts';
import { openSqliteFile, transact } from './sqlite-file.ts';

export interface SqliteStoreOptions extends SharedStoreOptions {
  /** Path of the file to share; the file and its folder are created if missing. @default in the user's state folder */
  path?: string | undefined;
}

/**
 * Creates a rate-limit store in a file, for all processes of one user on one machine (§8: the limit is per key). The
 * permits of a crashed process return only when they expire. A damaged file is replaced by a new one, if its header
 * shows that it is such a store. Needs only Node's own SQLite.
 * @throws `configuration` for invalid options
 */
export const createSqliteStore = ({ path: given, ...options }: SqliteStoreOptions): SharedStore => {
  let path = given ?? "the user's state folder";
  return createSharedStore(options, {
    kind: 'sqlite',
    async open(key) {
      path = given ?? defaultStorePath(); // throws for a user without a home folder
      return openSqliteRecord(path, key);
    },
    explain(error) {
      const { code, message } = Object(error) as NodeJS.ErrnoException;
      const advice = 'the file or its folder belongs to another user, such as root; change the owner or the path';
      return `${path}: ${message}${code === 'EACCES' || code === 'EPERM' ? `; ${advice}` : ''}`;
    },
  });
};

/**
 * Opens a record in a file that the processes of one machine share. Keeps SQLite's default rollback journal: processes
 * that switch a new file to WAL at the same time lock each other out.
 */
export const openSqliteRecord = async (path: string, key: string, clock = sinceBoot): Promise<SharedRecord> => {
  const db = await openSqliteFile(path, 'CREATE TABLE permits (key text primary key, until real, record text) strict');
  const read = db.prepare('select record from permits where key = ?');
  const removeOver = db.prepare('delete from permits where until <= ?');
  const write = db.prepare('insert or replace into permits values (?, ?, ?)');
  return {
    update: (change) =>
      transact(db, () => {
        const at = clock();
        const found = read.get(key)?.record;
        const changed = change(String(found ?? null), at);
        if (!changed) return;
        // Only a new key makes the file longer, so only its first write removes expired records.
        if (!found) removeOver.run(at);
        write.run(key, at + changed.keptMs, changed.text);
      }),
    close: () => db.close(),
  };
};

/**
 * Returns the path of the file that a user's processes share, in the user's state folder. Relative paths in the
 * environment are ignored, as the XDG specification requires.
 */
export const defaultStorePath = (
  platform = process.platform,
  env = process.env,
  // With an inferred type, the package's types would need Node's.
  home: () => string = homedir,
): string => {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const given = (folder: string | undefined) => (folder && isAbsolute(folder) ? folder : undefined);
  const stateFolder = (): string => {
    if (platform === 'darwin') return join(home(), 'Library', 'Application Support');
    if (platform === 'win32') return given(env.LOCALAPPDATA) ?? join(home(), 'AppData', 'Local');
    return given(env.XDG_STATE_HOME) ?? join(home(), '.local', 'state');
  };
  return join(stateFolder(), 'order-license', 'rate-limit.sqlite');
};
