import { hash, randomBytes } from 'node:crypto';
import { nameText, text } from '../settings/check.ts';
import type { Contents } from './contents.ts';

/** An account; it is private if both `company` and `vat_id` are empty (§5.5). */
export interface Account {
  /** The account's name in this mock, e.g. `business`. */
  account: string;
  user_id: number;
  email: string;
  name: string;
  company: string;
  vat_id: string;
}

/** A stored key: its name and SHA-256 hash, never the key itself (§5.4). */
export interface StoredKey {
  name: string;
  account: string;
  sha256: string;
  state: 'active' | 'inactive' | 'revoked';
}

/** Maximum number of unrevoked keys per account (§5.3). */
const keysPerAccount = 5;

/** The accounts of every mock, by account number. */
export const fixtureAccounts: readonly Account[] = [
  {
    account: 'business',
    user_id: 4711,
    email: 'einkauf@mueller-soehne.example.test',
    name: 'Jürgen Müller',
    company: 'Müller & Söhne GmbH',
    vat_id: 'DE123456789',
  },
  {
    account: 'otherAccount',
    user_id: 5823,
    email: 'zoë@strøm.example.test',
    name: 'Zoë Strøm 山田',
    company: '',
    vat_id: 'ATU12345678',
  },
  {
    account: 'private',
    user_id: 6934,
    email: 'privat@weiss.example.test',
    name: 'Anna Weiß',
    company: '',
    vat_id: '',
  },
  {
    account: 'companyOnly',
    user_id: 7045,
    email: 'buero@nurfirma.example.test',
    name: 'Björn Groß 🙂',
    company: 'Nur Firma e.K.',
    vat_id: '',
  },
];

/** The keys of every mock, each with its account and state. */
export const fixtureKeys = {
  business: { account: 'business', state: 'active' },
  /** A second key of the account `business`. */
  businessSecond: { account: 'business', state: 'active' },
  /** The key of an account with only a VAT ID. */
  otherAccount: { account: 'otherAccount', state: 'active' },
  /** The key of a private account; returns 403. */
  private: { account: 'private', state: 'active' },
  /** The key of an account with only a company. */
  companyOnly: { account: 'companyOnly', state: 'active' },
  /** A key of the account `business` that returns 401. */
  revoked: { account: 'business', state: 'revoked' },
  /** A key of the account `business` that returns 401. */
  inactive: { account: 'business', state: 'inactive' },
} as const satisfies Record<string, Pick<StoredKey, 'account' | 'state'>>;

/** API keys in plain text, by name. The state contains only their hashes. */
export type PlainKeys = { [Name in keyof typeof fixtureKeys]: string };

/** API keys to use instead of generated ones, by name. */
export type KeysInput = { [Name in keyof PlainKeys]?: string | undefined };

/** Returns the given keys, and generates the others from the seed. */
export const plainKeys = (seed: number, given: KeysInput = {}): PlainKeys => {
  const made = Object.keys(fixtureKeys).map((name) => [name, opaque(hash('sha256', `key ${seed} ${name}`, 'buffer'))]);
  const own = Object.entries(given).filter(([, key]) => key !== undefined);
  const keys = Object.fromEntries([...made, ...own]) as PlainKeys;
  const names = new Map<string, string>();
  for (const [name, key] of Object.entries(keys)) {
    if (!(name in fixtureKeys)) {
      throw new Error(`keys: there is no key named "${name}"; the names are ${Object.keys(fixtureKeys).join(', ')}`);
    }
    if (!/^[\x21-\x7e]+$/.test(text(`keys.${name}`, key)))
      throw new Error(`keys.${name}: a key must contain only visible ASCII characters, without spaces`);
    const twin = names.get(key);
    if (twin)
      throw new Error(`keys.${name} and keys.${twin} have the same value; a key belongs to exactly one account`);
    names.set(key, name);
  }
  return keys;
};

/** Generates a key. */
export const newKey = (): string => opaque(randomBytes(32));

const opaque = (bytes: Buffer): string => bytes.toString('base64').replace(/[+/=]/g, 'x').slice(0, 40);

/** Stores a new key. @throws Error if the key violates a rule in the API docs (§5.2, §5.3) */
export const addKey = ({ account: check, keys }: Contents, account: string, name: string, key: string): void => {
  check(account);
  const held = [...keys.values()];
  if (held.some((other) => other.name === nameText('name', name)))
    throw new Error(`there is already a key named "${name}"; choose a different name`);
  if (held.filter((other) => other.account === account && other.state !== 'revoked').length === keysPerAccount)
    throw new Error(`the account "${account}" already has ${keysPerAccount} keys, the maximum; revoke one first`);
  const sha256 = hash('sha256', key);
  keys.set(sha256, { name, account, sha256, state: 'active' });
};
