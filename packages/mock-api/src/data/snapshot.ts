import { latestTime } from '../clock.ts';
import { refuseUnknownFields } from '../validate/fields.ts';
import { nameText, oneOf, text, wholeNumber } from '../validate/values.ts';
import { type Account, keyStates, keysPerAccount, type StoredKey } from './accounts.ts';
import { type OrderChangeInput, orderChangeFields, readOrderChange, writeOrderChange } from './input/order-change.ts';
import { inputOf, type OrderInput, orderFromInput } from './input/order-input.ts';
import { createOrderIds, type OrderIds } from './order-ids.ts';
import { createOrderStore, type OrderStore } from './order-store.ts';
import { maxSeed, maxSeededOrders } from './seed.ts';

/** A serialized state. Contains key hashes but no keys, and only the license keys given with inserted orders. */
export interface StateDump {
  seed: number;
  /** Prefix of every license key. Default: that of the loading mock. */
  licenseKeyPrefix?: string;
  /** All seeded orders are older than this time, ms since 1970 in whole seconds. Default: 2026-06-30 18:00. */
  newestAt?: number | undefined;
  accounts: (Account & {
    seededOrders: number;
    changed: ({ id: number } & OrderChangeInput)[];
    inserted: OrderInput[];
  })[];
  keys: StoredKey[];
}

/** The contents of a state: accounts and their orders by name, keys by hash. */
export interface Contents {
  seed: number;
  newestAt: number | undefined;
  accounts: Map<string, Account>;
  stores: Map<string, OrderStore>;
  ids: OrderIds;
  keys: Map<string, StoredKey>;
}

const dumpFields = ['seed', 'licenseKeyPrefix', 'newestAt', 'accounts', 'keys'];
const accountTexts = ['email', 'name', 'company', 'vat_id'] as const;
const accountFields = ['account', 'user_id', ...accountTexts, 'seededOrders', 'changed', 'inserted'];
const keyFields = ['name', 'account', 'sha256', 'state'];

const maxAccounts = 4;

/**
 * Parses a dump.
 * @param now ms since 1970, used for inserted orders without a date
 * @throws Error that names the invalid field
 */
export const contentsOf = (dump: StateDump, now: number): Contents => {
  refuseUnknownFields('a state', dump, dumpFields);
  if (!Array.isArray(dump.accounts) || !Array.isArray(dump.keys)) {
    throw new Error('a state needs seed, accounts and keys, as GET /__mock/state returns them');
  }
  if (dump.accounts.length > maxAccounts) throw new Error(`a state can have at most ${maxAccounts} accounts`);
  const seed = wholeNumber('seed', dump.seed, maxSeed);
  if (dump.licenseKeyPrefix !== undefined) text('licenseKeyPrefix', dump.licenseKeyPrefix);
  const { newestAt } = dump;
  if (newestAt !== undefined && wholeNumber('newestAt', newestAt, latestTime) % 1000 !== 0)
    throw new Error('newestAt must be in whole seconds: ms since 1970, divisible by 1000');
  const [accounts, stores, keys] = [new Map(), new Map(), new Map()];
  const contents: Contents = { seed, newestAt, accounts, stores, ids: createOrderIds(), keys };
  each('accounts', dump.accounts, (account) => addAccount(contents, account, now));
  each('keys', dump.keys, (key) => addKey(contents, key));
  return contents;
};

/** Serializes the contents. */
export const dumpOf = ({ seed, newestAt, accounts, stores, keys }: Contents): StateDump => ({
  seed,
  newestAt,
  accounts: Array.from(accounts.values(), (account) => {
    const { source, changes, inserted } = named(stores, account.account);
    return {
      ...account,
      seededOrders: source.count,
      changed: changes().map(writeOrderChange),
      inserted: inserted().map(inputOf),
    };
  }),
  keys: Array.from(keys.values(), (key) => ({ ...key })),
});

/** Returns the value for an account name. @throws Error if the account doesn't exist */
export const named = <Value>(map: Map<string, Value>, account: string): Value => {
  const value = map.get(account);
  if (value !== undefined) return value;
  throw new Error(`there is no account "${account}"; the accounts are ${[...map.keys()].join(', ')}`);
};

/** @throws Error if the key breaks a rule of the API docs (§5.2, §5.3) */
export const addKey = ({ accounts, keys }: Contents, key: StoredKey): void => {
  refuseUnknownFields('a key', key, keyFields);
  const { name, account, sha256, state } = key;
  nameText('name', name);
  named(accounts, text('account', account));
  if (!/^[0-9a-f]{64}$/.test(text('sha256', sha256))) throw new Error('sha256 must be 64 hex digits in lower case');
  oneOf('state', state, keyStates);
  if (keys.has(sha256)) throw new Error('a key belongs to exactly one account (§5.2)');
  const held = [...keys.values()];
  if (held.some((other) => other.name === name)) throw new Error(`there is a key named "${name}" already`);
  const counting = held.filter((other) => other.account === account && other.state !== 'revoked');
  if (state !== 'revoked' && counting.length === keysPerAccount) {
    throw new Error(`the account "${account}" has ${keysPerAccount} keys already (§5.3); revoke one first`);
  }
  keys.set(sha256, { ...key });
};

const addAccount = (contents: Contents, given: StateDump['accounts'][number], now: number): void => {
  const { seed, newestAt, accounts, stores, ids } = contents;
  refuseUnknownFields('an account', given, accountFields);
  const { account, user_id, email, name, company, vat_id, seededOrders, changed, inserted } = given;
  nameText('account', account);
  if (accounts.has(account)) throw new Error(`there is an account named "${account}" already`);
  wholeNumber('user_id', user_id);
  for (const field of accountTexts) text(field, given[field]);
  wholeNumber('seededOrders', seededOrders, maxSeededOrders);
  const source = { seed, account: accounts.size, count: seededOrders, newestAt };
  ids.takeSeeded(source);
  const store = createOrderStore(source, ids);
  each('inserted', inserted, (input) => store.insert((id) => orderFromInput(input, id, now)));
  each('changed', changed, (entry) => addChange(store, entry));
  accounts.set(account, { account, user_id, email, name, company, vat_id });
  stores.set(account, store);
};

const addChange = (store: OrderStore, entry: { id: number } & OrderChangeInput): void => {
  refuseUnknownFields('a changed order', entry, ['id', ...orderChangeFields]);
  const { id, ...change } = entry;
  wholeNumber('id', id);
  if (!store.change(id, readOrderChange(change))) throw new Error(`the account has no order with the id ${id}`);
};

/** Parses an array; errors contain the index. */
const each = <Item>(name: string, list: readonly Item[], read: (item: Item) => void): void => {
  if (!Array.isArray(list)) throw new Error(`${name} must be an array`);
  for (const [n, item] of list.entries()) {
    try {
      read(item);
    } catch (error) {
      throw new Error(`${name}[${n}]: ${(error as Error).message}`);
    }
  }
};
