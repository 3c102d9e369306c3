import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactRows } from './compact-rows.ts';

const expand = ({ same, columns, rows }: ReturnType<typeof compactRows>): object[] =>
  rows.map((row) => ({ ...same, ...Object.fromEntries(columns.map((name, index) => [name, row[index]])) }));

test('states values that all objects share once', () => {
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

test('keeps identifying fields in the rows even if all values are equal', () => {
  expect(
    compactRows([
      { id: 1, license_key: 'A' },
      { id: 1, license_key: 'A' },
    ]),
  ).not.toHaveProperty('same');
});

test('uses null for missing fields, and returns no rows for no objects', () => {
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
  const value = fc.oneof(fc.constantFrom('a', 'b', null, 0), fc.jsonValue());
  const object = fc.record({ id: fc.nat(), status: value, further: value });
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const wire = JSON.parse(JSON.stringify(objects)) as object[];
      expect(expand(compactRows(wire))).toEqual(wire);
    }),
  );
});

test('a field with the name of a property of every object is null in the rows that lack it', () => {
  const objects = JSON.parse('[{ "id": 1, "constructor": 2, "__proto__": 3 }, { "id": 4 }]');
  expect(compactRows(objects)).toEqual({
    columns: ['id', 'constructor', '__proto__'],
    rows: [
      [1, 2, 3],
      [4, null, null],
    ],
  });
});

test('fields that few rows have stay with their row, so that the table does not grow with the square of its rows', () => {
  const objects = Array.from({ length: 1_000 }, (_, id) => ({ id, note: 'x', [`own-${id}`]: id }));
  const { same, columns, rows } = compactRows(objects);
  expect([same, columns]).toEqual([{ note: 'x' }, ['id', 'further_fields']]);
  expect(rows[7]).toEqual([7, { 'own-7': 7 }]);
  expect(rows.flat().length).toBe(2_000);
});
