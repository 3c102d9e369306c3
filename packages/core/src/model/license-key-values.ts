/** Minimum length of a word of a license key, in letters and digits, to be hidden elsewhere too. */
const minWordLength = 4;

/**
 * Every value of `license_key` in an answer, at any depth, and every bare value in `license_codes`. In a key of several
 * words, such as `Benutzer: anna Passwort: geheim` or two keys in one field, each word counts as well; labels do not.
 */
export const licenseKeyValues = (answer: unknown): Set<string> => {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const plainName = name.replace(/[^a-z]/gi, '').toLowerCase();
      if (plainName === 'licensekey') addAll(inner, found);
      else if (plainName === 'licensecodes') addBare(inner, found);
      look(inner);
    }
  };
  look(answer);
  return found;
};

/** A string instead of a code object is a key. */
const addBare = (value: unknown, found: Set<string>): void => {
  if (!isObject(value)) add(value, found);
  else for (const inner of Object.values(value)) if (!isObject(inner) || Array.isArray(inner)) addBare(inner, found);
};

const addAll = (value: unknown, found: Set<string>): void => {
  if (!isObject(value)) {
    add(value, found);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (!/^\p{L}?\p{Ll}*(_\p{Ll}+)*$/u.test(name)) add(name, found); // `{ "AB12-CD34": true }`
    addAll(inner, found);
  }
};

const add = (value: unknown, found: Set<string>): void => {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  const key = String(value);
  found.add(key);
  for (const [, word = '', label] of key.matchAll(/([^\s,;|:=/"'<>()[\]{}&?]+)(\s*[:=]\s)?/g)) {
    const isLabel = label !== undefined && /^\p{L}+$/u.test(word);
    if (!isLabel && word.replace(/[^\p{L}\p{N}]/gu, '').length >= minWordLength) found.add(word);
  }
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
