import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { type PlainKeys, sha256 } from '../data/accounts.ts';
import { contentsOf, type StateDump } from '../data/snapshot.ts';
import { parseExactJson } from './json-text.ts';
import { readText } from './read-text.ts';

/**
 * The state that a file holds; `undefined` where there is no file.
 * @param plainKeys the plain keys of this start, by name
 * @throws Error with path and what is wrong
 */
export const readStateFile = (path: string, plainKeys: PlainKeys): StateDump | undefined => {
  if (!existsSync(path)) return undefined;
  const state = parseExactJson(readText(path), path) as StateDump;
  try {
    contentsOf(state, 0);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  const ownKeys = new Map<string, string>(Object.entries(plainKeys));
  for (const key of state.keys) {
    const own = ownKeys.get(key.name);
    if (own !== undefined && sha256(own) !== key.sha256) {
      throw new Error(
        `${path}: its key "${key.name}" is another one; start with the seed and the keys that it was saved with`,
      );
    }
  }
  return state;
};

/** Writes a state whole or not at all. Nobody else may read it: it may hold license keys. @throws Error that begins with the path */
export const writeStateFile = (path: string, state: StateDump): void => {
  const unfinished = `${path}.tmp`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (error) {
    throw new Error(`${path}: the state cannot be saved: ${(error as Error).message}`);
  }
};
