import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { PermitTable } from './permit-table.ts';
import { openSqliteFile, type SqliteFile, transact } from './sqlite-file.ts';
import { maxFlightMs } from './store.ts';

export interface SqliteTableOptions extends SqliteFile {
  /** The row of this service and API key. */
  key: string;
  holdMs: number;
  /** Milliseconds since this machine started, the same in all its processes. */
  clock?: () => number;
}

const sinceBoot = (): number => Number(process.hrtime.bigint()) / 1e6;

const schema = `
  create table if not exists contents (id text primary key) strict;
  create table if not exists keys (key text primary key, latest real not null, paused_until real not null) strict;
  create table if not exists permits (
    key text not null, id text not null, returns_at real not null, primary key (key, id)
  ) strict, without rowid;
`;

/**
 * Counts in a file that the processes of one machine share. Keeps SQLite's default rollback journal: several processes
 * that switch a new file to WAL at once lock each other out.
 */
export const openSqliteTable = async ({
  key,
  holdMs,
  clock = sinceBoot,
  ...file
}: SqliteTableOptions): Promise<PermitTable> => {
  const newId = randomBytes(9).toString('base64url');
  const db = await openSqliteFile(file, (db) => {
    db.exec(schema);
    db.prepare('insert into contents select ? where not exists (select 1 from contents)').run(newId);
  });
  try {
    return createTable(db, key, holdMs, clock);
  } catch (error) {
    db.close();
    throw error;
  }
};

const createTable = (db: DatabaseSync, key: string, holdMs: number, clock: () => number): PermitTable => {
  const readContents = db.prepare('select id from contents');
  const contents = readContents.get()?.id;
  const readState = db.prepare('select latest, paused_until from keys where key = ?');
  const writeState = db.prepare('insert or replace into keys values (?, ?, ?)');
  const readPermits = db.prepare('select returns_at from permits where key = ? and returns_at > ? order by returns_at');
  const dropPermits = db.prepare('delete from permits where key = ? and returns_at <= ?');
  const writePermit = db.prepare(
    'insert into permits values (?, ?, ?) on conflict do update set returns_at = min(returns_at, excluded.returns_at)',
  );

  /** Runs one step for this key, with the time read under the lock. */
  const step = <Answer>(work: (state: { at: number; pausedUntil: number }) => Answer): Promise<Answer> =>
    transact(db, () => {
      if (readContents.get()?.id !== contents) throw new Error('the file was emptied by another process');
      const at = clock();
      const { latest = at, paused_until: pausedUntil = 0 } = readState.get(key) ?? {};
      // The clock goes back only if the machine restarted, and then the data is obsolete.
      const isOfThisBoot = Number(latest) <= at;
      if (!isOfThisBoot) dropPermits.run(key, Number.MAX_VALUE);
      return work({ at, pausedUntil: isOfThisBoot ? Number(pausedUntil) : 0 });
    });

  return {
    take: (id, requests) =>
      step(({ at, pausedUntil }) => {
        const out = readPermits.all(key, at).map(({ returns_at }) => Math.min(Number(returns_at) - at, holdMs));
        if (out.length >= requests || pausedUntil > at) return { returnsInMs: out, pausedMs: pausedUntil - at };
        dropPermits.run(key, at);
        writePermit.run(key, id, at + maxFlightMs + holdMs);
        writeState.run(key, at, pausedUntil);
        return 'granted';
      }),
    merge: ({ permits, pausedMs }) =>
      step(({ at, pausedUntil }) => {
        for (const [id, returnsInMs] of permits) writePermit.run(key, id, at + returnsInMs);
        writeState.run(key, at, Math.max(pausedUntil, at + pausedMs));
      }),
    close: () => db.close(),
  };
};
