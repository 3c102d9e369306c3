import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.fixture.ts';
import { compactRows } from './compact-rows.ts';

test('if all objects have the same value in a field, states the value only once', () => {
  const objects = [
    { id: 1, status: 'bezahlt', waehrung: 'EUR' },
    { id: 2, status: 'offen', waehrung: 'EUR' },
  ];
  expect(compactRows(objects)).toEqual({
    same: { waehrung: 'EUR' },
    columns: ['id', 'status'],
    rows: [
      [1, 'bezahlt'],
      [2, 'offen'],
    ],
  });
});

test('keeps identifying fields in the rows even if their value is the same in all rows', () => {
  expect(
    compactRows([
      { id: 1, license_key: 'A' },
      { id: 1, license_key: 'A' },
    ]),
  ).not.toHaveProperty('same');
});

test('uses null for missing fields, and returns no rows if there are no objects', () => {
  expect(compactRows([{ id: 1 }, { id: 2, note: 'x' }])).toEqual({
    columns: ['id', 'note'],
    rows: [
      [1, null],
      [2, 'x'],
    ],
  });
  expect(compactRows([])).toEqual({ columns: [], rows: [] });
});

test('keeps every field and value of arbitrary objects', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b', null, 0, 'https://a.b/c', 'https://a.b/d/e'), fc.jsonValue());
  const object = fc.record({ id: fc.nat(), status: value, further: value });
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const wire = JSON.parse(JSON.stringify(objects)) as object[];
      expect(rowsOf(compactRows(wire))).toEqual(wire);
    }),
  );
});

test('if a row lacks a field whose name is a property of Object.prototype, the field is null', () => {
  const objects = JSON.parse('[{ "id": 1, "constructor": 2, "__proto__": 3 }, { "id": 4 }]');
  expect(compactRows(objects)).toEqual({
    columns: ['id', 'constructor', '__proto__'],
    rows: [
      [1, 2, 3],
      [4, null, null],
    ],
  });
});

test('keeps rare fields out of the columns, so that the table does not grow quadratically', () => {
  const objects = Array.from({ length: 1_000 }, (_, id) => ({ id, note: 'x', [`own-${id}`]: id }));
  const { same, columns, rows } = compactRows(objects);
  expect([same, columns]).toEqual([{ note: 'x' }, ['id', 'further_fields']]);
  expect(rows[7]).toEqual([7, { 'own-7': 7 }]);
  expect(rows.flat().length).toBe(2_000);
});

test("states the common prefix of a column's URLs only once, and never shortens license keys", () => {
  const file = (name: string) => `https://downloads.example.test/19553/${name}`;
  expect(
    compactRows([
      { license_key: file('a'), download_url_64: file('x64.exe'), download_url_32: file('x86.exe') },
      { license_key: file('b'), download_url_64: file('y64.exe'), download_url_32: null },
      { license_key: file('b'), download_url_64: file('z64.exe'), download_url_32: 'none' },
    ]),
  ).toEqual({
    prefix: { download_url_64: file('') },
    columns: ['license_key', 'download_url_64', 'download_url_32'],
    rows: [
      [file('a'), 'x64.exe', file('x86.exe')],
      [file('b'), 'y64.exe', null],
      [file('b'), 'z64.exe', 'none'],
    ],
  });
});
