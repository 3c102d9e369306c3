import { longLength, wordLength } from './key-search.ts';
import { lettersOf } from './words.ts';

interface Place {
  value: unknown;
  /** The field that contains the value, in lists and maps too. */
  field: string;
  /** Receives the short words of keys: those of the order, or else all keys. */
  words: Set<string>;
  /** The letters of the line item's product name. */
  product: string;
}

/**
 * Finds what must not be shown of a response, at any depth. A key is any value below `license_key`, and any value in
 * `license_codes` that isn't in a field of a code.
 * @returns the license keys, their words of at least eight letters, and download URLs; by order, the shorter words
 */
export const licenseKeyValues = (response: object): { keys: Set<string>; words: Map<unknown, Set<string>> } => {
  const keys = new Set<string>();
  const byOrder = new Map<unknown, Set<string>>();
  const addText = (text: string, { field, words: short, product }: Place): void => {
    if (/^download_?url/i.test(field)) keys.add(text.replace(openPart, ''));
    if (!/^licen[cs]e[_-]?(?:key|code)s?$/i.test(field)) return;
    keys.add(text);
    const words = betweenWords.test(text) ? text.replace(labels, ' ').split(betweenWords) : [];
    for (const word of words.map(lettersOf)) {
      if (word.length >= longLength) keys.add(word);
      else if (word.length >= wordLength && !product.includes(word)) short.add(word);
    }
  };
  // Not recursive: a response can be nested more deeply than the stack allows.
  const places: Place[] = [{ value: response, field: '', words: keys, product: '' }];
  for (const place of places) {
    const { value, field } = place;
    if (typeof value === 'string' || typeof value === 'number') addText(String(value), place);
    if (typeof value !== 'object' || value === null) continue;
    const isOrder = 'bestellnummer' in value;
    const words = isOrder ? new Set<string>() : place.words;
    if (isOrder) byOrder.set(value, words);
    const { product_name: name } = value as { product_name?: unknown };
    const product = typeof name === 'string' ? lettersOf(name.slice(0, 1_000)) : place.product; // a longer one is not a name
    for (const [name, inner] of Object.entries(value)) {
      const isField = fieldName.test(name);
      if (!isField && !Array.isArray(value)) addText(name, place);
      const isInKey = /^licen[cs]e[_-]?keys?$/i.test(field);
      places.push({ value: inner, field: isField && !isInKey ? name : field, words, product });
    }
  }
  return { keys, words: byOrder };
};

/** The name of a field: neither an index nor a key. */
const fieldName = /^\p{L}\p{Ll}*(?:(?:[_-]\p{L}|\p{Lu})\p{Ll}+){0,9}_?\d{0,2}$/u;

/** What isn't secret in a download URL: its scheme, and its host if there is nothing more. */
const openPart = /^(?:\w+:\/\/)?[^/]*\/?$|^\w+:\/\//;

/** Dashes and the like part no words. */
const betweenWords = /[\s,;|:=/"'<>()[\]{}&?\\]+/;

/** `Passwort: ` is a label, and so is `Office 2024: ` at the start of a line. */
const labels = /^(?:\p{L}{1,40} ){0,9}\d{1,4} ?[:=]\s|(?<![^\s,;|])\p{L}{1,40} ?[:=]\s/gmu;
