import { dirname, resolve } from 'node:path';
import { parseJson, readText } from '../data/read-file.ts';
import { createEngine } from '../engine.ts';
import { type ListenOptions, mockOptionsOf, readListenOptions } from '../server/listen-options.ts';
import { isObject } from '../settings/check.ts';

/**
 * Reads a JSON file with options for `listen`. Paths in the file are relative to its folder.
 * @throws Error with the path, position and problem
 */
export const readConfigFile = (path: string): ListenOptions => {
  const text = readText(path);
  const exact = parseJson(text, path);
  let config: ListenOptions;
  try {
    if (!isObject(exact)) throw new Error('it must contain an object with options, such as {"limit": "off"}');
    // Only orders need the digits of their numbers. Elsewhere, 60.0 is a whole number.
    config = JSON.parse(text);
    if (typeof config.orders === 'object') config = { ...config, orders: (exact as ListenOptions).orders as object };
    createEngine(mockOptionsOf(readListenOptions(config)), { tls: config.tlsCert !== undefined });
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  const files = (['ordersFile', 'tlsCert', 'tlsKey'] as const).flatMap((name) => {
    const file = config[name];
    return file === undefined ? [] : [[name, resolve(dirname(path), file)]];
  });
  return { ...config, ...Object.fromEntries(files) };
};
