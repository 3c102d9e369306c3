import { lettersOf, longLength, wordLength } from './key-search.ts';

/**
 * Finds what must not be shown of a response, at any depth. A license key is any value below `license_key`, and any
 * value in `license_codes` that isn't in a field of a code.
 * @returns `keys`: the license keys, their words of at least eight letters, and download URLs; `shortWords`: their shorter
 * words, without those in the product name of their line item
 */
export const secretsIn = (response: object): { keys: string[]; shortWords: string[] } => {
  const keys: string[] = [];
  const shortWords: string[] = [];
  /**
   * The objects and lists found. For each: the nearest named field around it, and the letters of the line item's
   * product name. Not recursive: a response can be nested more deeply than the stack allows.
   */
  const places: [inside: object, field: string, product: string][] = [[response, '', '']];
  const add = (text: string, field: string, product: string): void => {
    if (urlField.test(field)) keys.push(text.replace(openPart, ''));
    if (!keyField.test(field)) return;
    keys.push(text);
    const words = betweenWords.test(text) ? text.replace(labels, ' ').split(betweenWords) : [];
    for (const word of words.map(lettersOf)) {
      if (word.length >= longLength) keys.push(word);
      else if (word.length >= wordLength && !product.includes(word)) shortWords.push(word);
    }
  };
  for (const [inside, field, productAround] of places) {
    const { product_name } = inside as { product_name?: unknown };
    // A longer text is not a product name.
    const product = typeof product_name === 'string' ? lettersOf(product_name.slice(0, 1_000)) : productAround;
    for (const [name, value] of Object.entries(inside)) {
      const isField = fieldName.test(name);
      const place = isField && !valueField.test(field) ? name : field;
      // The names in a map can be license keys.
      if (!isField && !Array.isArray(inside)) add(name, field, product);
      if (typeof value === 'object' && value !== null) places.push([value, place, product]);
      if (typeof value === 'string' || typeof value === 'number') add(String(value), place, product);
    }
  }
  return { keys, shortWords };
};

const urlField = /^download_?url/i;
const keyField = /^licen[cs]e[_-]?(?:key|code)s?$/i;
const valueField = /^licen[cs]e[_-]?keys?$/i;

/** The name of a field: neither an index nor a key. */
const fieldName = /^\p{L}\p{Ll}*(?:(?:[_-]\p{L}|\p{Lu})\p{Ll}+){0,9}_?\d{0,2}$/u;

/** What isn't secret in a download URL: its scheme, and its host if there is nothing more. */
const openPart = /^(?:\w+:\/\/)?[^/]*\/?$|^\w+:\/\//;

/** Separators between words. Characters such as dashes are part of a word. */
const betweenWords = /[\s,;|:=/"'<>()[\]{}&?\\]+/;

/** `Passwort: ` is a label, and so is `Office 2024: ` at the start of a line. */
const labels = /^(?:\p{L}{1,40} ){0,9}\d{1,4} ?[:=]\s|(?<![^\s,;|])\p{L}{1,40} ?[:=]\s/gmu;
