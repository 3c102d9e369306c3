import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDuplicate, findMembers } from './member-places.ts';

test('finds members with path and place', () => {
  const text = '{ "a": "x\\": {\\"b\\": 1",\n  "o": { "42": ["q: ", {}], "\\u0061": null },\n  "b" : 1 }';
  expect(findMembers(text)).toEqual([
    { path: [], name: 'a', place: 'line 1 column 3' },
    { path: [], name: 'o', place: 'line 2 column 3' },
    { path: ['o'], name: '42', place: 'line 2 column 10' },
    { path: ['o'], name: 'a', place: 'line 2 column 29' },
    { path: [], name: 'b', place: 'line 3 column 3' },
  ]);
});

test('finds a duplicate within one object, also if it is escaped, but not across objects', () => {
  const find = (text: string) => findDuplicate(findMembers(text))?.map(({ place }) => place);
  expect(find('{ "a": { "a": 1 }, "b": { "a": 1 } }')).toBeUndefined();
  expect(find('{ "a": { "x": 1,\n"\\u0078": 2 } }')).toEqual(['line 1 column 10', 'line 2 column 1']);
});

test('finds every member of a JSON text once', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.string())), fc.nat(4), (value, space) => {
      const members = findMembers(JSON.stringify(value, null, space));
      const inner = Object.entries(value).flatMap(([name, object]) => [
        JSON.stringify([[], name]),
        ...Object.keys(object).map((key) => JSON.stringify([[name], key])),
      ]);
      expect(members.map(({ path, name }) => JSON.stringify([path, name])).sort()).toEqual(inner.sort());
      expect(findDuplicate(members)).toBeUndefined();
    }),
  );
});
