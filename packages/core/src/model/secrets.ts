import { longLength, wordLength } from './key-search.ts';
import { lettersOf } from './words.ts';

/**
 * Finds what must not be shown of a response, at any depth. A license key is any value below `license_key`, and any
 * value in `license_codes` that isn't in a field of a code.
 * @returns the license keys, their long words, and download URLs; and the shorter words of license keys, without those
 * that are in the product name of their line item
 */
export const secretsIn = (response: object): { keys: Set<string>; words: Set<string> } => {
  const keys = new Set<string>();
  const words = new Set<string>();
  // Not recursive: a response can be nested more deeply than the stack allows.
  const places = [{ inside: response, field: '', product: '' }];
  const visit = (value: unknown, field: string, product: string): void => {
    if (typeof value === 'object' && value !== null) places.push({ inside: value, field, product });
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const text = String(value);
    if (urlField.test(field)) keys.add(text.replace(openPart, ''));
    if (!keyField.test(field)) return;
    keys.add(text);
    for (const word of wordsOf(text)) {
      if (word.length >= longLength) keys.add(word);
      else if (word.length >= wordLength && !product.includes(word)) words.add(word);
    }
  };
  for (const { inside, field, product: outer } of places) {
    const { product_name: name } = inside as { product_name?: unknown };
    const product = typeof name === 'string' ? lettersOf(name.slice(0, 1_000)) : outer; // a longer one is not a name
    for (const [name, value] of Object.entries(inside)) {
      const isField = fieldName.test(name);
      // A map can have keys as names.
      if (!isField && !Array.isArray(inside)) visit(name, field, product);
      visit(value, isField && !valueField.test(field) ? name : field, product);
    }
  }
  return { keys, words };
};

const wordsOf = (key: string): string[] =>
  betweenWords.test(key) ? key.replace(labels, ' ').split(betweenWords).map(lettersOf) : [];

const urlField = /^download_?url/i;
const keyField = /^licen[cs]e[_-]?(?:key|code)s?$/i;
const valueField = /^licen[cs]e[_-]?keys?$/i;

/** The name of a field: neither an index nor a key. */
const fieldName = /^\p{L}\p{Ll}*(?:(?:[_-]\p{L}|\p{Lu})\p{Ll}+){0,9}_?\d{0,2}$/u;

/** What isn't secret in a download URL: its scheme, and its host if there is nothing more. */
const openPart = /^(?:\w+:\/\/)?[^/]*\/?$|^\w+:\/\//;

/** Dashes and the like part no words. */
const betweenWords = /[\s,;|:=/"'<>()[\]{}&?\\]+/;

/** `Passwort: ` is a label, and so is `Office 2024: ` at the start of a line. */
const labels = /^(?:\p{L}{1,40} ){0,9}\d{1,4} ?[:=]\s|(?<![^\s,;|])\p{L}{1,40} ?[:=]\s/gmu;
