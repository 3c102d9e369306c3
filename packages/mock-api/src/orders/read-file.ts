import { readFileSync } from 'node:fs';
import { parseExact } from '../settings/json.ts';
import type { Placed } from './read-orders.ts';

const reasons: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'this process has no permission to read it',
};

/**
 * Reads a text file in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it.
 * @throws Error that begins with the path
 */
export const readText = (path: string): string => {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`${path}: ${reasons[code] ?? message}`);
  }
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${path}: it is not UTF-8`);
  }
};

/**
 * Parses JSON. Numbers keep the digits that they have in the text.
 * @param at where the text comes from, for errors
 * @throws Error that says where the text stops being JSON, but quotes only one character of it: it can contain keys
 */
export const parseJson = (text: string, at: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    throw new Error(`${at}: it is not JSON: ${placeOf(text)}`);
  }
};

const hints: Record<string, string> = {
  '}': '; remove the comma before it',
  ']': '; remove the comma before it',
  "'": '; use double quotes',
  '/': '; remove the comment',
};

/** Says where a text stops being JSON: the column, and the line if there are several. */
export const placeOf = (text: string): string => {
  // V8's error doesn't always state a position. So this looks for the longest text that fails only because it ends.
  let [good, bad] = [0, text.length + 1];
  while (good + 1 < bad) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, good).split('\n');
  const column = `column ${(lines.at(-1) ?? '').length + 1}`;
  const place = text.includes('\n') ? `line ${lines.length}, ${column}` : column;
  const found = text[good];
  if (found === undefined) return `it ends at ${place}, before it is complete`;
  return `${place} has ${found}${hints[found] ?? ''}`;
};

/** Returns why V8 can't parse a text; `undefined` if it can. */
const jsonError = (text: string): string | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

const isBeginning = (text: string): boolean => {
  const message = jsonError(text);
  // biome-ignore lint/plugin: JSON.parse reports the position of an error only in its message
  const [, at] = /at position (\d+)/.exec(message ?? '') ?? [];
  // biome-ignore lint/plugin: as above
  return message === undefined || /^(Unexpected end|Unterminated)/.test(message) || Number(at) === text.length;
};

/**
 * Reads the values in a file: one JSON value, or one per line.
 * @throws Error with the path, position and problem
 */
export const readValues = (path: string): Placed[] => {
  const text = readText(path);
  if (text.trim() === '') throw new Error(`${path}: the file is empty`);
  const lines = text.split('\n').map((line, n) => ({ line: line.trim(), number: n + 1 }));
  const filled = lines.filter(({ line }) => line !== '');
  if (filled.length < 2 || jsonError(filled[0]?.line ?? '') !== undefined)
    return [{ at: `${path}: `, value: parseJson(text, path) }];
  return filled.map(({ line, number }) => {
    const at = `${path}, line ${number}`;
    return { at: `${at}: `, value: parseJson(line, at) };
  });
};
