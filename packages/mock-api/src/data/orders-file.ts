import { type OwnOrders, type Placed, readOrders } from './read-orders.ts';
import { parseJson, readText } from './read-text.ts';

/**
 * Reads orders from a file: one JSON value, or one per line.
 * @throws Error with the path, position and problem
 */
export const readOrdersFile = (path: string): OwnOrders => readOrders(valuesOf(path));

const valuesOf = (path: string): Placed[] => {
  const text = readText(path);
  if (text.trim() === '') throw new Error(`${path}: the file is empty`);
  const lines = text.split('\n').map((line, n) => ({ line: line.trim(), number: n + 1 }));
  const filled = lines.filter(({ line }) => line !== '');
  if (filled.length < 2 || !isJson(filled[0]?.line ?? '')) return [{ at: `${path}: `, value: parseJson(text, path) }];
  return filled.map(({ line, number }) => {
    const at = `${path}, line ${number}`;
    return { at: `${at}: `, value: parseJson(line, at) };
  });
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
