const mask = '****';

/**
 * A copy of an answer in which no license key can be read (ORDER_LICENSE_KEYS=masked): `license_key` and whatever else
 * stands in `license_codes` without a name, the query and user part of download URLs, and every repetition of a key
 * elsewhere in the answer. The last four characters of a long key stay, so that people can tell keys apart; account
 * pairs such as `user:password` are masked whole.
 */
export const maskLicenseKeys = (data: object): object => {
  const secrets = new Set<string>();
  collectSecrets(data, '', secrets);
  const repetition = matchAny([...secrets]);
  const walk = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((element) => walk(element, name));
    if (isObject(value)) {
      if (isKey(name)) return mask;
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [hide(key, repetition), walk(inner, key)]));
    }
    if (isKey(name) || isCodeList(name)) return isNothing(value) ? value : maskKey(String(value));
    if (typeof value === 'string') return hide(isDownloadUrl(name) ? maskUrl(value) : value, repetition);
    return secrets.has(String(value)) ? mask : value;
  };
  return walk(data, '') as object;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === '';

const isKey = (name: string): boolean => /^license_key$/i.test(name);
const isCodeList = (name: string): boolean => /^license_codes$/i.test(name);
const isDownloadUrl = (name: string): boolean => /^download_url/i.test(name);

const maskKey = (key: string): string => (key.length >= 16 && !/[:\s]/.test(key) ? mask + key.slice(-4) : mask);

/** Everything of an address that may carry a key: user part, query and fragment. */
const maskUrl = (url: string): string => url.replace(/\/\/[^/?#]*@/, `//${mask}@`).replace(/[?#].*$/s, `?${mask}`);

/** Shorter ones would match by accident, and say nothing. */
const shortestSecret = 4;

/** Collects the license keys under `value`, the password of an account pair apart, as they stand and as in a URL. */
const collectSecrets = (value: unknown, name: string, secrets: Set<string>): void => {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      collectSecrets(inner, Array.isArray(value) || isKey(name) ? name : key, secrets);
    }
    return;
  }
  if (isNothing(value) || !(isKey(name) || isCodeList(name))) return;
  const text = String(value).trim();
  const password = text.slice(text.indexOf(':') + 1).trim();
  for (const secret of [text, password]) {
    if (secret.length >= shortestSecret) secrets.add(secret).add(encode(secret));
  }
};

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
