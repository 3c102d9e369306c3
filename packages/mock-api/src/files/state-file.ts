import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { type PlainKeys, sha256 } from '../data/accounts.ts';
import { contentsOf, type StateDump } from '../data/snapshot.ts';
import { parseExactJson } from './json-text.ts';
import { readText } from './read-text.ts';

/**
 * Reads the state in a file; `undefined` if the file doesn't exist.
 * @param plainKeys the plain keys by name
 * @throws Error with the path and problem
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
      throw new Error(`${path}: its key "${key.name}" differs; start with the seed and keys it was saved with`);
    }
  }
  return state;
};

/**
 * Writes a state atomically. Only the owner can read it, since it can contain license keys.
 * @throws Error that begins with the path
 */
export const writeStateFile = (path: string, state: StateDump): void => {
  const unfinished = `${path}.tmp`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (error) {
    throw new Error(`${path}: the state cannot be saved: ${(error as Error).message}`);
  }
};
