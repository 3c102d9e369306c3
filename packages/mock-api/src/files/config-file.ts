import { dirname, resolve } from 'node:path';
import { createEngine } from '../engine.ts';
import { type ListenOptions, readListenOptions } from '../server/listen-options.ts';
import { isObject } from '../validate/fields.ts';
import { parseJson, readText } from './read-text.ts';

/**
 * Reads a JSON file with options of `listen`. Paths in it are relative to its folder.
 * @throws Error with the path, position and problem
 */
export const readConfigFile = (path: string): ListenOptions => {
  const config = parseJson(readText(path), path) as ListenOptions;
  try {
    if (!isObject(config)) throw new Error('it must be an object with options, like {"limit": "off"}');
    const { mockOptions, tls } = readListenOptions(config);
    createEngine(mockOptions, { tls });
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  const { ordersFile, ...rest } = config;
  const fromFolder = (file: string): string => resolve(dirname(path), file);
  return {
    ...rest,
    ...(ordersFile !== undefined && { ordersFile: fromFolder(ordersFile) }),
  };
};
