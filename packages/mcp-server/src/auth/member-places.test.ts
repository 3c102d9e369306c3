import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDuplicate, findMembers } from './member-places.ts';

test('finds members with their path and position', () => {
  const text = '{ "a": "x\\": {\\"b\\": 1",\n  "o": { "42": ["q: ", {}], "\\u0061": null },\n  "b" : 1 }';
  expect(findMembers(text)).toMatchObject([
    { path: [], name: 'a', place: 'line 1 column 3' },
    { path: [], name: 'o', place: 'line 2 column 3' },
    { path: ['o'], name: '42', place: 'line 2 column 10' },
    { path: ['o'], name: 'a', place: 'line 2 column 29' },
    { path: [], name: 'b', place: 'line 3 column 3' },
  ]);
});

test('finds a duplicate within one object, even if escaped, but not across objects', () => {
  const find = (text: string) => findDuplicate(findMembers(text))?.map(({ place }) => place);
  expect(find('{ "a": { "a": 1 }, "b": { "a": 1 } }')).toBeUndefined();
  expect(find('{ "a": { "x": 1,\n"\\u0078": 2 } }')).toEqual(['line 1 column 10', 'line 2 column 1']);
});

test('finds no duplicates across a list of objects', () => {
  expect(
    findDuplicate(findMembers('{ "a": [{ "x": 1 }, { "x": 2 }], "b": [[{ "x": 1 }], { "x": 1 }] }')),
  ).toBeUndefined();
});

test('reads a string of many megabytes', () => {
  const long = JSON.stringify(`\\"${'x'.repeat(10_000_000)}`);
  expect(findMembers(`{ "a": ${long}, "b": 1 }`).map(({ name }) => name)).toEqual(['a', 'b']);
});

test('positions match the lines and columns of the text', () => {
  const space = fc.constantFrom('', ' ', '\n', '\r\n', '\n\n  ');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), space, (value, between) => {
      const text = JSON.stringify(value, null, 1).replaceAll('\n', `${between}\n`);
      for (const { name, place } of findMembers(text)) {
        const [, line = 0, column = 0] = /^line (\d+) column (\d+)$/.exec(place) ?? [];
        const [written = ''] = /^"(?:[^"\\]|\\.)*"/.exec(text.split('\n')[+line - 1]?.slice(+column - 1) ?? '') ?? [];
        expect(JSON.parse(written)).toBe(name);
      }
    }),
  );
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
