import { below, isDownloadUrl, isKey, isObject, type Place, roleOf, top, withNames } from './answer-fields.ts';
import { visibleText } from './visible-text.ts';

const mask = '****';

/**
 * A copy of an answer in which no license key can be read (ORDER_LICENSE_LICENSE_KEYS=masked). Masked are
 * `license_key`; every other text below `license_codes`, whatever it is called, but for the fields that §2.6 names; the
 * query and user part of download URLs; and every repetition of a key elsewhere in the answer. The last four characters
 * of a long key stay, so that people can tell keys apart; account pairs such as `user:password` are masked whole.
 */
export const maskLicenseKeys = (data: object): object => {
  const secrets = new Set<string>();
  collectSecrets(data, top, secrets);
  const repetition = matchAny([...secrets]);
  const walk = (value: unknown, place: Place): unknown => {
    if (Array.isArray(value)) return value.map((element) => walk(element, below(place)));
    if (isObject(value)) {
      if (isKey(place.name)) return mask;
      return withNames(
        Object.entries(value).map(([key, inner]) => [hide(key, repetition), walk(inner, below(place, key))]),
      );
    }
    const role = roleOf(value, place);
    if (role === 'key') return maskKey(visibleText(String(value)));
    if (role === 'unknown') return mask;
    if (typeof value === 'string') return hide(isDownloadUrl(place.name) ? maskUrl(value) : value, repetition);
    return secrets.has(String(value)) ? mask : value;
  };
  return walk(data, top) as object;
};

const maskKey = (key: string): string => (key.length >= 16 && !/[:\s]/.test(key) ? mask + key.slice(-4) : mask);

/** Everything of an address that may carry a key: user part, query and fragment. */
const maskUrl = (url: string): string => url.replace(/\/\/[^/?#]*@/, `//${mask}@`).replace(/[?#].*$/s, `?${mask}`);

/** Shorter ones would match by accident, and say nothing. */
const minSecretLength = 4;

/** Collects the license keys under `value`, the password of an account pair apart, as they stand and as in a URL. */
const collectSecrets = (value: unknown, place: Place, secrets: Set<string>): void => {
  if (Array.isArray(value)) {
    for (const element of value) collectSecrets(element, below(place), secrets);
    return;
  }
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const inside = below(place, key);
      if (inside.inCodes && !isFieldName(key)) addSecret(key, secrets);
      collectSecrets(inner, inside, secrets);
    }
    return;
  }
  const role = roleOf(value, place);
  if (role === 'key' || (role === 'unknown' && !isCommon(String(value)))) addSecret(String(value), secrets);
};

const addSecret = (value: string, secrets: Set<string>): void => {
  const text = value.trim();
  const password = text.slice(text.indexOf(':') + 1).trim();
  for (const secret of [text, password]) {
    // The texts of the answer have lost what is invisible.
    for (const form of [secret, visibleText(secret)]) {
      if (form.length >= minSecretLength) secrets.add(form).add(encode(form));
    }
  }
};

/** What a field is called, or the number of an element; a list could also be keyed by the license keys. */
const isFieldName = (name: string): boolean => /^(\p{L}[\p{L}_]*\d{0,2}|\d{1,12})$/u.test(name);

/** An ordinary word, a short number, an amount or a date, which stands elsewhere by chance and would be masked there too. */
const isCommon = (text: string): boolean =>
  /^(\p{L}?\p{Ll}*|\d{1,5}|\d+[.,]\d\d|\d{4}-\d\d-\d\d([ T][\d:.]+Z?)?)$/u.test(text.trim());

const encode = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return text; // half a character, which no URL can hold
  }
};

const matchAny = (secrets: string[]): RegExp | undefined => {
  if (secrets.length === 0) return undefined;
  const longestFirst = secrets.sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'gi');
};

const hide = (text: string, secrets: RegExp | undefined): string => (secrets ? text.replace(secrets, mask) : text);
