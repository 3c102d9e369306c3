import { longLength, wordLength } from './key-search.ts';
import { lettersOf } from './words.ts';

/** A license key or a download URL. */
interface Secret {
  text: string;
  /** Words of a license key that are secret by themselves, such as a password. */
  words: string[];
}

/**
 * Finds the secrets of a response, at any depth. A license key is any value below `license_key`, and any value in
 * `license_codes` that isn't in a field of a code.
 */
export const secretsIn = (response: object): Secret[] => {
  const secrets: Secret[] = [];
  // Not recursive: a response can be nested more deeply than the stack allows.
  const places = [{ inside: response, field: '', product: '' }];
  const visit = (value: unknown, field: string, product: string): void => {
    if (typeof value === 'object' && value !== null) places.push({ inside: value, field, product });
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const text = String(value);
    if (urlField.test(field)) secrets.push({ text: text.replace(openPart, ''), words: [] });
    if (keyField.test(field)) secrets.push({ text, words: secretWords(text, product) });
  };
  for (const { inside, field, product: outer } of places) {
    const { product_name = outer } = inside as { product_name?: unknown };
    const product = typeof product_name === 'string' ? product_name : outer;
    for (const [name, value] of Object.entries(inside)) {
      const isField = fieldName.test(name);
      // A map can have keys as names.
      if (!isField && !Array.isArray(inside)) visit(name, field, product);
      visit(value, isField && !valueField.test(field) ? name : field, product);
    }
  }
  return secrets;
};

/** Returns the words of a license key: the long ones, and those of four or more letters and digits that are not in the product name. */
const secretWords = (key: string, product: string): string[] => {
  if (!betweenWords.test(key)) return [];
  const name = lettersOf(product.slice(0, 1_000)); // a longer one is not a name
  const words = key.replace(labels, ' ').split(betweenWords).map(lettersOf);
  return words.filter((word) => word.length >= (name.includes(word) ? longLength : wordLength));
};

const keyField = /^licen[cs]e[_-]?(?:key|code)s?$/i;
const valueField = /^licen[cs]e[_-]?keys?$/i;
const urlField = /^download_?url/i;

/** The name of a field: neither an index nor a key. */
const fieldName = /^\p{L}\p{Ll}*(?:(?:[_-]\p{L}|\p{Lu})\p{Ll}+){0,9}_?\d{0,2}$/u;

/** What isn't secret in a download URL: its scheme, and its host if there is nothing more. */
const openPart = /^(?:\w+:\/\/)?[^/]*\/?$|^\w+:\/\//;

/** Dashes and the like part no words. */
const betweenWords = /[\s,;|:=/"'<>()[\]{}&?\\]+/;

/** `Passwort: ` is a label, and so is `Office 2024: ` at the start of a line. */
const labels = /^(?:\p{L}{1,40} ){0,9}\d{1,4} ?[:=]\s|(?<![^\s,;|])\p{L}{1,40} ?[:=]\s/gmu;
