import type { User } from '@order-license/core/portable';
import type { Credential } from '../shared/credential';

/**
 * The account of a saved state: the service and the user. A user without an integer ID is identified by a fingerprint of
 * the email address, or else of the API key.
 */
export const accountOf = ({ user_id, email }: Partial<User>, { baseUrl, apiKey }: Credential): string => {
  const user = Number.isSafeInteger(user_id) ? user_id : fingerprint(String(user_id ?? (email || apiKey)));
  return `${serviceOf(baseUrl)} ${user}`;
};

/** Identifies the key, and so the account, since a key belongs to exactly one (§5.2). 32 bits do not reveal the key. */
export const fingerprintOf = ({ baseUrl, apiKey }: Credential): string =>
  fingerprint(`${serviceOf(baseUrl)}\n${apiKey}`);

const serviceOf = (baseUrl: string): string => {
  const { host, pathname } = new URL(baseUrl);
  return host + pathname.replace(/\/+$/, '');
};

/** 32-bit FNV-1a, in base 36. */
export const fingerprint = (text: string): string => {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
};
