import { closeSync, mkdirSync, openSync, readSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { loadSqlite } from './load-sqlite.ts';

// SQLite's own wait for a lock blocks this process, ours does not. On a busy machine, time passes without an attempt,
// so a minimum number of attempts must fail too.
const blockingMs = 10;
const patienceMs = 1_000;
const minTries = 25;

/** Marks a file as ours in its header (`OLKL`). */
const applicationId = 0x4f4c4b4c;

export interface SqliteFile {
  path: string;
  /** Any file at this path belongs to this library, even an unreadable one. */
  isOwnPath?: boolean | undefined;
}

/**
 * Opens the file at `path` and runs `prepare` on it; creates both if missing.
 *
 * Nothing is synced to disk: after a restart of the machine the data is meaningless, and a crashed process cannot
 * damage the file. A power failure can. A damaged file of ours is emptied in place, not replaced, so no two processes
 * use different files.
 * @throws also after emptying a damaged file: other processes may know what it contained, so the caller must not treat
 * it as new
 */
export const openSqliteFile = async (
  { path, isOwnPath = false }: SqliteFile,
  prepare: (db: DatabaseSync) => void,
): Promise<DatabaseSync> => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(path, { timeout: blockingMs });
  try {
    await whenFree(() => db.exec('pragma synchronous = off'));
    await transact(db, () => {
      checkContent(db);
      if (!db.prepare('select 1 from sqlite_schema').get()) db.exec(`pragma application_id = ${applicationId}`);
      prepare(db);
    });
    return db;
  } catch (error) {
    db.close();
    if (!isDamage(error)) throw error;
    if (!isOwnPath && !isOurs(path)) {
      throw new Error('the file is not a rate-limit store or is damaged; delete it or choose another path');
    }
    emptyIfDamaged(path);
    throw new Error('the file was damaged and has been emptied');
  }
};

/** A step that is atomic across processes. */
export const transact = <Answer>(db: DatabaseSync, work: () => Answer): Promise<Answer> =>
  whenFree(() => {
    try {
      db.exec('begin immediate');
      const answer = work();
      db.exec('commit');
      return answer;
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  });

const whenFree = async <Answer>(work: () => Answer): Promise<Answer> => {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      const isPatient = tries < minTries || performance.now() - startedAt < patienceMs;
      if (resultCode(error) !== busy || !isPatient) throw error;
    }
    await setTimeout(10 + Math.random() * 20);
  }
};

const checkContent = (db: DatabaseSync): void => {
  const found = db.prepare('pragma quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw Object.assign(new Error(String(found)), { errcode: corrupt });
};

/**
 * Checks again before emptying the file: another process may have emptied it and be using it. A file without a readable
 * header cannot be locked itself, so processes take turns on a lock file next to it.
 */
const emptyIfDamaged = (path: string): void => {
  const { DatabaseSync } = loadSqlite();
  const turnPath = `${path}-repair`;
  closeSync(openSync(turnPath, 'a', 0o600));
  const turn = new DatabaseSync(turnPath, { timeout: patienceMs });
  const db = new DatabaseSync(path, { timeout: blockingMs });
  try {
    turn.exec('begin exclusive');
    try {
      db.exec('begin immediate');
      checkContent(db);
    } catch (error) {
      if (!isDamage(error)) throw error;
      truncateSync(path);
      rmSync(`${path}-journal`, { force: true });
    }
  } finally {
    db.close();
    turn.close();
  }
};

const busy = 5;
const corrupt = 11;
const notADatabase = 26;

const resultCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

const isDamage = (error: unknown): boolean => [corrupt, notADatabase].includes(resultCode(error) ?? 0);

/** A file with our mark, or of zeros, as a power failure can leave. Anything else may be the user's document. */
const isOurs = (path: string): boolean => {
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header.readUInt32BE(68) === applicationId || header.every((byte) => byte === 0);
};
