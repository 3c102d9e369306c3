import { longLength, wordLength } from './key-search.ts';
import { readingsOf, wordsOf } from './reading.ts';

/** What must not be shown of a response, as the letters of readings. */
export interface KeyValues {
  /** License keys, their long words, and download URLs. */
  readonly keys: ReadonlySet<string>;
  /** Shorter words of license keys, by their order. */
  readonly words: ReadonlyMap<object, ReadonlySet<string>>;
}

interface Place {
  value: unknown;
  /** The field that contains the value, in lists and maps too. */
  field: string;
  isInKey: boolean;
  order: object | undefined;
  /** The words of the line item's product name. */
  productWords: ReadonlySet<string>;
}

/**
 * Finds the license keys and download URLs of a response, at any depth. A key is any value below `license_key`, and any
 * value in `license_codes` that isn't in a field of a code.
 */
export const licenseKeyValues = (response: object): KeyValues => {
  const keys = new Set<string>();
  const words = new Map<object, Set<string>>();
  const addWord = (word: string, { order, productWords }: Place): void => {
    if (word.length < wordLength) return;
    if (word.length >= longLength || !order) keys.add(word);
    else if (!productWords.has(word)) words.set(order, (words.get(order) ?? new Set()).add(word));
  };
  const add = (text: string): void => {
    for (const { letters } of readingsOf(text)) if (letters) keys.add(letters);
  };
  const addKey = (key: string, place: Place): void => {
    add(key);
    if (!/[\s,;|:=/"'<>()[\]{}&?%\\]/.test(key)) return; // a single word
    for (const word of wordsOf(key.replace(labels, ' '))) addWord(word, place);
  };

  // Not recursive: a response can be nested more deeply than the stack allows.
  const start = { field: '', isInKey: false, order: undefined, productWords: new Set<string>() };
  const waiting: Place[] = [{ ...start, value: response }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value, field, isInKey } = place;
    if (typeof value === 'string' || typeof value === 'number') {
      if (isInKey || /^licen[cs]e[_-]?codes?$/i.test(field)) addKey(String(value), place);
      else if (/^download_?url/i.test(field)) add(pathOf(String(value)));
    }
    if (typeof value !== 'object' || value === null) continue;
    const order = orderAt(value, place.order);
    const productWords = productWordsOf(value) ?? place.productWords;
    for (const [name, inner] of Object.entries(value)) {
      const isField = fieldName.test(name);
      const at = isField ? name : field;
      const isKey = isInKey || /^licen[cs]e[_-]?keys?$/i.test(name);
      const inside = { value: inner, field: at, isInKey: isKey, order, productWords };
      if (isInKey && !isField && !Array.isArray(value)) addKey(name, inside);
      waiting.push(inside);
    }
  }
  return { keys, words };
};

/** Returns the order that an object is or belongs to. */
export const orderAt = (value: object, outer: object | undefined): object | undefined =>
  outer ?? ('bestellnummer' in value ? value : undefined);

/** The name of a field: neither an index nor a key. */
const fieldName = /^\p{L}\p{Ll}*(?:(?:[_-]\p{L}|\p{Lu})\p{Ll}+){0,9}_?\d{0,2}$/u;

const productWordsOf = ({ product_name: name }: { product_name?: unknown }): Set<string> | undefined => {
  if (typeof name !== 'string') return undefined;
  const shortName = name.slice(0, 1_000); // so that a huge text takes no time: it is no name
  return new Set([shortName, shortName.replaceAll('-', ' ')].flatMap(wordsOf));
};

/** Returns what is secret in a download URL: all but the scheme, if there is more than a host. */
const pathOf = (url: string): string => /^(?:\w+:\/\/)?([^/]*\/.+)/s.exec(url)?.[1] ?? '';

/** `Passwort: ` is a label, and so is `Office 2024: ` at the start of a line. */
const labels = /^(?:\p{L}{1,40} ){0,9}\d{1,4} ?[:=]\s|(?<![^\s,;|])\p{L}{1,40} ?[:=]\s/gmu;
