import type * as sqlite from 'node:sqlite';

/**
 * `node:sqlite`, without the warning that Node 22 prints at its first use. Loading is synchronous, so nobody else's
 * warning can fall into the moment in which `emitWarning` is ours, and every other warning is passed on.
 */
export const loadSqlite = (): typeof sqlite => {
  const { emitWarning } = process;
  process.emitWarning = (...[warning, ...rest]: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
};
