import { isObject } from '../base/checks.ts';
import { maxValues } from './key-search.ts';

/** A word of a license key is hidden elsewhere if it has at least this many letters and digits. */
const minWordLength = 4;

type Place = 'elsewhere' | 'codes' | 'key';

/**
 * Returns every value of `license_key` in a response, at any depth, every bare value in `license_codes`, and every
 * download URL. If a key has several words, such as `Benutzer: anna Passwort: geheim` or two keys in one field, each
 * word is also returned, except labels. Ends early if there are more values than a search accepts.
 */
export const licenseKeyValues = (response: unknown): Set<string> => {
  const found = new Set<string>();
  // Not recursive: a response can be nested more deeply than the stack allows.
  const waiting: [value: unknown, place: Place][] = [[response, 'elsewhere']];
  for (let next = waiting.pop(); next && found.size <= maxValues; next = waiting.pop()) {
    const [value, place] = next;
    if (typeof value !== 'object' || value === null) {
      if (place !== 'elsewhere') addKey(value, found);
      continue;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (place === 'key' && !Array.isArray(value) && !isFieldName(name)) addKey(name, found); // `{ "AB12-CD34": true }`
      if (isDownload(name, inner)) {
        found.add(inner as string);
        found.add((inner as string).replace(/^\w+:\/\//, ''));
      }
      waiting.push([inner, placeBelow(place, name, inner)]);
    }
  }
  return found;
};

const placeBelow = (place: Place, name: string, inner: unknown): Place => {
  if (place === 'key') return 'key';
  const plainName = name.replace(/[^a-z]/gi, '').toLowerCase();
  if (/^licen[cs]ekeys?$/.test(plainName)) return 'key';
  if (/^licen[cs]ecodes?$/.test(plainName)) return 'codes';
  // A string instead of a code object is a key.
  return place === 'codes' && !isObject(inner) ? 'codes' : 'elsewhere';
};

/** A download URL may contain a token. A URL without a path is only a host, which may be shown. */
const isDownload = (name: string, inner: unknown): boolean =>
  /^download_?url/i.test(name) && typeof inner === 'string' && !/^(\w+:\/\/)?[^/]*\/?$/.test(inner);

const isFieldName = (name: string): boolean => /^\p{L}?\p{Ll}*(_\p{Ll}+)*$/u.test(name);

const addKey = (value: unknown, found: Set<string>): void => {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const key = String(value);
  found.add(key);
  for (const [, word = '', label] of key.matchAll(/([^\s,;|:=/"'<>()[\]{}&?]+)(\s*[:=]\s)?/g)) {
    if (found.size > maxValues) return;
    const isLabel = label !== undefined && /^\p{L}+$/u.test(word);
    if (!isLabel && word.replace(/[^\p{L}\p{N}]/gu, '').length >= minWordLength) found.add(word);
  }
};
