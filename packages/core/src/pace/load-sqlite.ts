import type * as sqlite from 'node:sqlite';

/**
 * `node:sqlite`, without the warning that Node 22 prints on first use. Loading is synchronous, so no other code's
 * warning can occur while `emitWarning` is replaced. Every other warning is passed on.
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
