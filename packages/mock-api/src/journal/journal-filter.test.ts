import { expect, test } from 'vitest';
import { createInnerMock, type InnerMock } from '../mock.ts';
import { send } from '../test-client.fixture.ts';
import type { JournalFilter } from './journal-filter.ts';

const used = (): InnerMock => {
  const mock = createInnerMock({ limit: 4 });
  const paths = ['/me', '/orders', '/orders?page=2', '/orders/10954', '/orders/1', '/orders?page=2&sort=asc'];
  for (const path of paths) send(mock, path);
  send(mock, '/me', { key: mock.keys.revoked });
  send(mock, '/users');
  return mock;
};

test.each<[JournalFilter, number[]]>([
  [{}, [1, 2, 3, 4, 5, 6, 7, 8]],
  [{ after: 6 }, [7, 8]],
  [{ after: 8 }, []],
  [{ operation: 'me' }, [1, 7]],
  [{ operation: 'list' }, [2, 3, 6]],
  [{ operation: 'list', after: 2 }, [3, 6]],
  [{ page: 1 }, [2]],
  [{ page: 2, status: 200 }, [3]],
  [{ id: 10954 }, [4]],
  [{ operation: 'order', id: 1 }, [5]],
  [{ status: 429 }, [5, 6, 8]],
  [{ status: 0 }, []],
  [{ key: 'business', status: 200 }, [1, 2, 3, 4]],
  [{ key: 'revoked' }, [7]],
  [{ key: 'otherAccount' }, []],
  [{ method: 'GET', operation: 'me' }, [1, 7]],
  [{ method: 'POST' }, []],
  [{ violations: true, operation: 'list' }, [6]],
  [{ violations: false, operation: 'list' }, [2, 3, 6]],
])('the journal returns and counts the entries that match %j', (filter, numbers) => {
  const { journal } = used();
  expect(journal.entries(filter).map(({ number }) => number)).toEqual(numbers);
  expect(journal.count(filter)).toBe(numbers.length);
  const marked = numbers.filter((number) => [6, 8].includes(number));
  expect(journal.violations(filter).map(({ number }) => number)).toEqual(marked);
});

test('an `after` from before the journal was cleared matches all entries', () => {
  const mock = used();
  const after = mock.journal.total();
  mock.journal.clear();
  send(mock, '/me');
  expect(mock.journal.entries({ after })).toMatchObject([{ number: 1, operation: 'me' }]);
});

test('count throws if dropped entries could match', () => {
  const mock = createInnerMock({ journalSize: 5, limit: 'off' });
  for (let n = 0; n < 5; n++) send(mock, '/me');
  expect(mock.journal.count()).toBe(5);
  for (let n = 0; n < 3; n++) send(mock, '/me');
  expect(() => mock.journal.count({ status: 429 })).toThrow(/has only the last 5 of 8 requests.*larger journalSize/);
  expect(() => mock.journal.count({ after: 2 })).toThrow(/has only the last 5 of 8/);
  expect(mock.journal.count({ after: 3 })).toBe(5);
});

test.each<[Record<string, unknown> | null, RegExp]>([
  [null, /a journal filter must be an object with after, operation/],
  [{ stauts: 429 }, /has no "stauts"; use one of after, operation, page, id, method, key, status, violations/],
  [{ after: -1 }, /after must be a whole number of at least 0, not "-1"/],
  [{ after: '3' }, /after must be a whole number/],
  [{ operation: 'orders' }, /operation must be one of me, list, order, not "orders"/],
  [{ page: 0 }, /page must be a whole number of at least 1/],
  [{ operation: 'me', page: 1 }, /"page" is valid only for the operation "list", not for "me"/],
  [{ operation: 'list', id: 1 }, /"id" is valid only for the operation "order", not for "list"/],
  [{ status: 42 }, /status must be a whole number from 100 to 599, not "42"/],
  [{ key: 'busines' }, /key must be one of business, businessSecond, .*, not "busines"/],
  [{ method: 'get' }, /method must be a name such as GET, not "get"/],
  [{ violations: 'true' }, /violations must be true or false/],
])('the filter %j is rejected, since it can never match', async (given, sentence) => {
  const { journal } = createInnerMock();
  const filter = given as JournalFilter;
  expect(() => journal.entries(filter)).toThrow(sentence);
  expect(() => journal.count(filter)).toThrow(sentence);
  await expect(journal.waitFor(filter)).rejects.toThrow(sentence);
});

test('a key in an entry is still a valid filter after a reset of the state', () => {
  const mock = createInnerMock();
  mock.state.createKey('business', 'erp');
  const { key } = mock.state.createKey('otherAccount', 'crm');
  send(mock, '/me', { key });
  mock.state.reset();
  expect(mock.journal.count({ key: 'crm' })).toBe(1);
  expect(() => mock.journal.count({ key: 'erp' })).toThrow(/key must be one of/);
});

test.each([
  ['big', '36028797018974918'],
  ['string', '10950'],
  ['negative', '-10950'],
] as const)('a filter accepts the ID of an order in its default format under ids=%s [U-25]', (ids, id) => {
  const mock = createInnerMock({ set: { ids } });
  send(mock, `/orders/${id}`);
  expect(mock.journal.count({ id: 10_950 })).toBe(1);
});
