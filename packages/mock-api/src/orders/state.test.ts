import { expect, test } from 'vitest';
import { createInnerMock } from '../mock.ts';

test('a rejected change of an account leaves company and VAT ID unchanged [U-48]', () => {
  const { state } = createInnerMock();
  const before = { ...state.contents.account('business') };
  const change = (registered: unknown) => () => state.setBusiness('business', registered as object);
  expect(change({ company: 'Neu', vat_id: null })).toThrow('vat_id must be a string');
  expect(change({ firma: 'Neu' })).toThrow('an account change has no "firma"; use one of company, vat_id');
  expect(change(undefined)).toThrow('an account change must be an object with company, vat_id');
  expect(state.contents.account('business')).toEqual(before);
  state.setBusiness('business', { company: 'Neu' });
  expect(state.contents.account('business')).toEqual({ ...before, company: 'Neu' });
});

test('rejects invalid names of keys and accounts [S-65]', () => {
  const { state } = createInnerMock();
  expect(() => state.createKey('business', '')).toThrow('name must be a non-empty string');
  expect(() => state.createKey('business', 'business')).toThrow(
    'there is already a key named "business"; choose a different name',
  );
  expect(() => state.createKey('nobody')).toThrow(/no account "nobody"; the accounts are business, /);
  expect(() => state.insertOrder({ status: 'bezahlt' } as never)).toThrow('account must be a string');
  expect(() => state.insertOrders({ orders: [] } as never, {})).toThrow('account must be a string');
});

test('a key without a name gets an unused name', () => {
  const own = createInnerMock();
  const first = own.state.createKey('otherAccount', 'key9').name;
  const names = [own.state.createKey('otherAccount').name, own.state.createKey('otherAccount').name];
  expect([first, ...names]).toEqual(['key9', 'key10', 'key11']);
  own.reset();
  own.state.createKey('otherAccount', 'key8');
  own.state.createKey('otherAccount', 'key10');
  expect(own.state.createKey('otherAccount').name).toBe('key11');
});
