import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as sqlite from 'node:sqlite';
import { sleep } from './real-time.ts';

/** The application ID in the file's header (`OLKL`), which marks the file as belonging to this library. */
const applicationId = 0x4f4c4b4c;

/**
 * Opens the file at `path` with the table that `schema` creates; `schema` is worded as SQLite stores it. Creates the
 * file and its folder if they are missing. Processes take turns by locking a second file next to it, since a damaged file cannot
 * be locked.
 *
 * Nothing is synced to disk, because the data is meaningless after a restart of the machine. A crashed process cannot
 * damage the file, but a power failure can. A damaged file that belongs to this library is removed, and the next call
 * creates a new one. SQLite rejects a write to a file that was removed, so no two processes use different files.
 * @throws even after removing a damaged file: other processes may know what the file contained, so the caller must not
 * treat the next file as new
 */
export const openSqliteFile = async (path: string, schema: string): Promise<sqlite.DatabaseSync> => {
  createFolder(dirname(path));
  const turn = connect(`${path}-lock`);
  try {
    return await transact(turn, () => openInTurn(path, schema));
  } finally {
    turn.close();
  }
};

/**
 * Creates a folder and its parents. Doesn't use Node's `recursive`, which never returns where the system reports a
 * missing parent although the parent exists, as below `/proc`.
 */
const createFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) createFolder(parent);
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    if (!existsSync(folder)) throw error; // else another process created it at the same time
  }
};

const openInTurn = (path: string, schema: string): sqlite.DatabaseSync => {
  if (!isOurs(path)) {
    throw new Error(
      'the file is not a rate-limit store, or is damaged; choose another path, or delete the file if nothing else uses it',
    );
  }
  const db = connect(path);
  try {
    if (db.prepare('pragma quick_check(1)').get()?.quick_check !== 'ok') throw damaged;
    const table = db.prepare('select sql from sqlite_schema').get();
    if (!table) db.exec(`pragma application_id = ${applicationId}; ${schema}`);
    else if (table.sql !== schema) {
      throw new Error(
        'another version of this package made the file; use one version everywhere, then delete the file',
      );
    }
    return db;
  } catch (error) {
    db.close();
    if (error !== damaged && ![corrupt, notADatabase].includes(resultCode(error))) throw error;
    for (const one of [`${path}-journal`, path]) rmSync(one, { force: true });
    throw damaged;
  }
};

const damaged = new Error('the file was damaged and has been emptied');

/**
 * Whether a file is new, has this library's application ID, or contains only zeros, which a power failure can leave. Any
 * other file may be the user's document, so SQLite must not even open it.
 */
const isOurs = (path: string): boolean => {
  create(path);
  const bytes = readFileSync(path);
  return bytes.toString('hex', 68, 72) === applicationId.toString(16) || bytes.every((byte) => byte === 0);
};

/** Creates a file that only the user can read, unless it exists. */
const create = (path: string): void => closeSync(openSync(path, 'a', 0o600));

/** Opens a database that doesn't wait for a lock: SQLite's own wait blocks this process; the one in `transact` does not. */
const connect = (path: string): sqlite.DatabaseSync => {
  create(path);
  const { DatabaseSync } = loadSqlite();
  return new DatabaseSync(path);
};

/** Loads `node:sqlite` without the warning that Node 22 prints on first use. */
const loadSqlite = (): typeof sqlite => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};

/** Maximum number of tries to get a lock, which take about a second in total. */
const maxTries = 50;

/** Runs `work` in one step that is atomic across processes, and runs it again if the file was locked. */
export const transact = async <Result>(db: sqlite.DatabaseSync, work: () => Result): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      db.exec('pragma synchronous = off; begin immediate');
      const result = work();
      db.exec('commit');
      return result;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      if (resultCode(error) !== busy || tries === maxTries) throw error;
    }
    await sleep(10 + Math.random() * 20);
  }
};

const busy = 5;
const corrupt = 11;
const notADatabase = 26;

const resultCode = (error: unknown): number => Object(error).errcode & 0xff;
