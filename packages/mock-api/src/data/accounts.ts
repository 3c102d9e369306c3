import { hash, randomBytes } from 'node:crypto';

/** An account as the service knows it; both `company` and `vat_id` empty make it a private one (§5.5). */
export interface Account {
  /** Its name in this mock, e.g. `business`. */
  account: string;
  user_id: number;
  email: string;
  name: string;
  company: string;
  vat_id: string;
}

export const keyStates = ['active', 'inactive', 'revoked'] as const;

/** A stored key: its name and SHA-256 hash. The key itself is nowhere (§5.4). */
export interface StoredKey {
  name: string;
  account: string;
  sha256: string;
  state: (typeof keyStates)[number];
}

/** At most so many keys that are not revoked (§5.3). */
export const keysPerAccount = 5;

/** The accounts of every mock, in the order of their numbers. */
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

/** The keys of every mock: whose they are and in which state. */
export const fixtureKeys: Readonly<Record<keyof PlainKeys, Pick<StoredKey, 'account' | 'state'>>> = {
  business: { account: 'business', state: 'active' },
  businessSecond: { account: 'business', state: 'active' },
  otherAccount: { account: 'otherAccount', state: 'active' },
  private: { account: 'private', state: 'active' },
  companyOnly: { account: 'companyOnly', state: 'active' },
  revoked: { account: 'business', state: 'revoked' },
  inactive: { account: 'business', state: 'inactive' },
};

/** Plain keys by name. Only the caller who gave or made them holds this. */
export interface PlainKeys {
  business: string;
  /** Another key of the account business. */
  businessSecond: string;
  /** Of an account with a VAT ID alone. */
  otherAccount: string;
  /** Of an account that is no business account: 403. */
  private: string;
  /** Of an account with a company alone. */
  companyOnly: string;
  /** 401. */
  revoked: string;
  /** 401. */
  inactive: string;
}

export const sha256 = (text: string): string => hash('sha256', text);

/** Keys for one seed: those given, and for the others opaque ones made from the seed. */
export const plainKeys = (seed: number, given: Partial<PlainKeys> = {}): PlainKeys => {
  const made = Object.keys(fixtureKeys).map((name) => [name, opaque(hash('sha256', `key ${seed} ${name}`, 'buffer'))]);
  const keys = { ...Object.fromEntries(made), ...given } as PlainKeys;
  const names = new Map<string, string>();
  for (const [name, key] of Object.entries(keys)) {
    if (!(name in fixtureKeys)) {
      throw new Error(`keys: there is no key named "${name}"; the names are ${Object.keys(fixtureKeys).join(', ')}`);
    }
    if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`keys.${name}: a key must be visible ASCII without spaces`);
    const twin = names.get(key);
    if (twin) throw new Error(`keys.${name} is the same as keys.${twin}: a key belongs to exactly one account (§5.2)`);
    names.set(key, name);
  }
  return keys;
};

/** A key nobody has had before. */
export const newKey = (): string => opaque(randomBytes(32));

const opaque = (bytes: Buffer): string => bytes.toString('base64').replace(/[+/=]/g, 'x').slice(0, 40);

/** Accounts with a company or VAT ID that is not blank (§1, §5.5). */
export const isBusiness = (account: Account, blankCounts = false): boolean => {
  const given = (text: string) => (blankCounts ? text !== '' : text.trim() !== '');
  return given(account.company) || given(account.vat_id);
};
