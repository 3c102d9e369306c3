import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEngine, type MockEngine } from '../engine.ts';
import type { Json } from '../test-client.fixture.ts';
import type { StateDump } from './dump.ts';

/** Returns a mock with a changed order, an inserted order and a new key. */
const used = (): MockEngine => {
  const mock = createEngine({ orders: 5, limit: 'off' });
  mock.state.createKey('otherAccount', 'erp');
  mock.state.setStatus(ids(mock)[0] ?? 0, 'storniert');
  mock.state.insertOrder('business', { status: 'bezahlt', items: [{ menge: 2 }] });
  return mock;
};

const get = (mock: MockEngine, target: string): { status: number; body: Json } => {
  const rawHeaders = ['Authorization', `Bearer ${mock.keys.business}`];
  const { response } = mock.answer({ method: 'GET', target: `/api/v1${target}`, rawHeaders, secure: true });
  return { status: response.status, body: JSON.parse(response.body as string) };
};
const ids = (mock: MockEngine): number[] => get(mock, '/orders').body.data.orders.map((order: Json) => order.id);

/** Returns a copy of the dump, changed at one path; `absent` removes the field. */
const changedAt = (dump: StateDump, path: readonly (string | number)[], value: unknown): StateDump => {
  const copy: Json = structuredClone(dump);
  const last = path.at(-1) as string;
  const holder = path.slice(0, -1).reduce<Json>((held, step) => held[step], copy);
  if (value === absent) delete holder[last];
  else holder[last] = value;
  return copy;
};
const absent = Symbol('absent');

test('an invalid state is rejected with the field name, and nothing changes [S-66]', () => {
  const mock = used();
  const before = mock.state.dump();
  const own = before.accounts[0]?.orders.findIndex(({ index }) => index === undefined) ?? -1;
  const changed = before.accounts[0]?.orders.findIndex(({ index }) => index !== undefined) ?? -1;
  const rejected: [path: (string | number)[], value: unknown, sentence: RegExp | string][] = [
    [['seed'], '1', 'seed must be a whole number from 0 to 2147483647, not "1"'],
    [['seed'], absent, 'seed is missing'],
    [['more'], 1, 'a state has no "more"; use one of seed, licenseKeyPrefix, accounts, keys'],
    [['accounts'], {}, 'accounts must be an array'],
    [['accounts', 1], null, /^accounts\[1\]: an account must be an object with account, user_id/],
    [
      ['accounts', 1, 'account'],
      'business',
      'accounts[1]: there is already an account named "business"; choose a different name',
    ],
    [['accounts', 1, 'account'], '', 'accounts[1]: account must be a non-empty string'],
    [['accounts', 1, 'user_id'], 1.5, 'accounts[1]: user_id must be a whole number of at least 0, not "1.5"'],
    [['accounts', 0, 'company'], absent, 'accounts[0]: company is missing'],
    [['accounts', 0, 'email'], 5, 'accounts[0]: email must be a string'],
    [['accounts', 0, 'role'], 'admin', /^accounts\[0\]: an account has no "role"; use one of account, .*$/],
    [['accounts', 0, 'orders'], absent, 'accounts[0]: orders is missing'],
    [['accounts', 0, 'orders', own, 'id'], 'x', /^accounts\[0\]: orders\[\d\]: id must be a whole number/],
    [['accounts', 0, 'orders', own, 'createdAt'], -1, /^accounts\[0\]: orders\[\d\]: createdAt must be/],
    [['accounts', 0, 'orders', own, 'total'], 1, /orders\[\d\]: an order in a state has no "total"; use one of id, /],
    [
      ['accounts', 0, 'orders', own, 'given', 'list'],
      1,
      /^accounts\[0\]: orders\[\d\]: given must be an object with list and detail/,
    ],
    [
      ['accounts', 0, 'orders', own, 'given', 'list', 'id'],
      5,
      /^accounts\[0\]: the order with the id \d+ is given with the id 5; use the same id in both$/,
    ],
    [
      ['accounts', 0, 'orders', own, 'given', 'detail', 'id'],
      '5',
      /^accounts\[0\]: the order with the id \d+ is given with the id 5; use the same id in both$/,
    ],
    [
      ['accounts', 0, 'orders', own, 'given', 'detail', 'items'],
      [null],
      /^accounts\[0\]: orders\[\d\]: items\[0\] must be an object$/,
    ],
    [
      ['accounts', 0, 'orders', changed],
      7,
      /^accounts\[0\]: orders\[\d\]: an order in a state must be an object with id/,
    ],
    [
      ['accounts', 0, 'orders', changed, 'id'],
      before.accounts[0]?.orders[own]?.id,
      /^accounts\[0\]: the id \d+ belongs to another order; choose a different id$/,
    ],
    [['accounts', 0, 'orders', changed, 'id'], '10001', /^accounts\[0\]: orders\[\d\]: id must be a whole number/],
    [
      ['accounts', 0, 'orders', changed, 'delivered'],
      -1,
      /orders\[\d\]: delivered must be a whole number of at least 0/,
    ],
    [['keys', 0, 'sha256'], 'abc', 'keys[0]: sha256 must be 64 hex digits in lower case'],
    [['keys', 0, 'state'], 'weird', 'keys[0]: state must be one of active, inactive, revoked, not "weird"'],
    [['keys', 1, 'name'], 'business', 'keys[1]: there is already a key named "business"; choose a different name'],
    [['keys', 0, 'account'], 'nobody', /^keys\[0\]: there is no account "nobody"/],
    [['keys', 0, 'plain'], 'x', 'keys[0]: a key has no "plain"; use one of name, account, sha256, state'],
  ];
  for (const [path, value, sentence] of rejected) {
    expect(() => mock.state.load(changedAt(before, path, value)), path.join('.')).toThrow(sentence);
    expect(mock.state.dump(), path.join('.')).toEqual(before);
  }
  expect(get(mock, '/me').status).toBe(200);
});

test('a state is rejected if two accounts share a key or an account has six keys [S-61 S-63]', () => {
  const { state } = createEngine();
  const { accounts, keys, seed } = state.dump();
  const copies = (count: number, change: object) =>
    Array.from({ length: count }, (_, n) => {
      return { name: `k${n}`, account: 'private', sha256: String(n).repeat(64), state: 'active' as const, ...change };
    });
  const [first] = keys;
  if (!first) throw new Error('the mock has no key');
  expect(() => state.load({ seed, accounts, keys: [first, { ...first, account: 'private' }] })).toThrow(
    /^keys\[1\]: the key "business" has the same sha256 as another key/,
  );
  expect(() => state.load({ seed, accounts, keys: copies(6, {}) })).toThrow(
    /^keys\[5\]: .*already has 5 keys, the maximum/,
  );
  state.load({ seed, accounts, keys: copies(6, { state: 'revoked' }) });
  expect(state.keys().length).toBe(6);
});

test('a state with an arbitrary value is rejected without a change, or every request still works [S-66]', () => {
  const mock = used();
  const before = mock.state.dump();
  const places = pathsOf(before);
  const anything = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(absent), fc.constant(Number.NaN));
  let taken = 0;
  fc.assert(
    fc.property(fc.constantFrom(...places), anything, (path, value) => {
      mock.state.load(before);
      try {
        mock.state.load(changedAt(before, path, value));
      } catch (error) {
        const { message } = error as Error;
        expect(message).toMatch(/ is | must be | has | needs | can have | belongs /);
        expect(message).not.toMatch(/Cannot|iterable|not a function|object Object/);
        expect(mock.state.dump()).toEqual(before);
        return;
      }
      taken++;
      const dump = mock.state.dump();
      mock.state.load(dump);
      expect(mock.state.dump()).toEqual(dump);
      for (const target of ['/me', '/orders', '/orders?status=storniert']) get(mock, target);
      if (get(mock, '/me').status === 200)
        for (const id of ids(mock)) expect(get(mock, `/orders/${id}`).status).toBe(200);
    }),
    { numRuns: 500 },
  );
  expect(taken).toBeGreaterThan(0);
});

/** Returns the paths of all nested values. */
const pathsOf = (value: unknown): (string | number)[][] => {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [[key], ...pathsOf((value as Json)[key]).map((rest) => [key, ...rest])]);
};

test('company and VAT ID must be strings, and a rejected change leaves both unchanged [U-48]', () => {
  const { state } = createEngine();
  const before = { ...state.account('business') };
  const change = (registered: unknown) => () => state.setBusiness('business', registered as object);
  expect(change({ company: 5 })).toThrow('company must be a string');
  expect(change({ company: 'Neu', vat_id: null })).toThrow('vat_id must be a string');
  expect(change({ firma: 'Neu' })).toThrow('an account change has no "firma"; use one of company, vat_id');
  expect(change(undefined)).toThrow('an account change must be an object with company, vat_id');
  expect(state.account('business')).toEqual(before);
  state.setBusiness('business', { company: 'Neu' });
  expect(state.account('business')).toEqual({ ...before, company: 'Neu' });
});

test('changing a dump does not change the state [S-66]', () => {
  const { state } = used();
  const dump = state.dump();
  const before = structuredClone(dump);
  for (const order of dump.accounts[0]?.orders ?? []) Object.assign(order, { status: 'ausstehend', given: {} });
  expect(state.dump()).toEqual(before);
});

test('a key name must be a string [S-65]', () => {
  const { state } = createEngine();
  expect(() => state.createKey('business', 5 as never)).toThrow('name must be a string');
  expect(() => state.createKey('business', '')).toThrow('name must be a non-empty string');
  expect(() => state.createKey('business', 'business')).toThrow(
    'there is already a key named "business"; choose a different name',
  );
  expect(() => state.createKey('nobody')).toThrow(/no account "nobody"; the accounts are business, /);
  expect(() => state.insertOrder({ status: 'bezahlt' } as never)).toThrow('account must be a string');
  expect(() => state.insertOrders({ orders: [] } as never, {})).toThrow('account must be a string');
});

test('a key without a name gets an unused name', () => {
  const own = createEngine();
  const first = own.state.createKey('otherAccount', 'key9').name;
  const names = [own.state.createKey('otherAccount').name, own.state.createKey('otherAccount').name];
  expect([first, ...names]).toEqual(['key9', 'key10', 'key11']);
  own.reset();
  own.state.createKey('otherAccount', 'key8');
  own.state.createKey('otherAccount', 'key10');
  expect(own.state.createKey('otherAccount').name).toBe('key11');
});

test('loading a dump restores license keys with their prefix', () => {
  const read = (from: MockEngine) => {
    const orders = from.state.orders('business').page(0, 100);
    const order = orders.find(({ status, delivered }) => status === 'abgeschlossen' && delivered > 0);
    return JSON.stringify(get(from, `/orders/${order?.id}`).body);
  };
  const source = createEngine({ licenseKeyPrefix: 'TEST-' });
  const dump = source.state.dump();
  expect(dump.licenseKeyPrefix).toBe('TEST-');
  const target = createEngine({ seed: 7, licenseKeyPrefix: 'OTHER-' });
  target.state.load(dump);
  const { keys } = source;
  target.keys = keys;
  expect(read(target)).toBe(read(source));
  const { licenseKeyPrefix: _, ...without } = dump;
  target.state.load(without);
  expect(read(target)).toContain('OTHER-');
  expect(() => target.state.load({ ...dump, licenseKeyPrefix: 5 as never })).toThrow(
    'licenseKeyPrefix must be a string',
  );
});

test('inserted orders are sorted by date, before and after the first list request', () => {
  const input = fc.record({
    created_at: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 11) }).map((ms) => new Date(ms).toISOString()),
  });
  fc.assert(
    fc.property(fc.array(input, { maxLength: 30 }), fc.nat(20), (inputs, orders) => {
      const early = createEngine({ orders });
      const late = createEngine({ orders });
      late.state.orders('business').count();
      for (const own of [early, late]) for (const given of inputs) own.state.insertOrder('business', given);
      const listed = early.state.orders('business').page(0, 100);
      expect(listed).toEqual(late.state.orders('business').page(0, 100));
      expect(listed).toEqual(listed.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id));
      expect(listed.length).toBe(orders + inputs.length);
    }),
    { numRuns: 60 },
  );
});
