import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.fixture.ts';
import { tableOf } from './order-tables.ts';

test('if all objects have the same value in a field, states the value only once', () => {
  const objects = [
    { id: 1, status: 'bezahlt', waehrung: 'EUR' },
    { id: 2, status: 'offen', waehrung: 'EUR' },
  ];
  expect(tableOf(objects)).toEqual({
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
    tableOf([
      { id: 1, license_key: 'A' },
      { id: 1, license_key: 'A' },
    ]),
  ).not.toHaveProperty('same');
});

test('uses null for missing fields, and returns no rows if there are no objects', () => {
  expect(tableOf([{ id: 1 }, { id: 2, note: 'x' }])).toEqual({
    columns: ['id', 'note'],
    rows: [
      [1, null],
      [2, 'x'],
    ],
  });
  expect(tableOf([])).toEqual({ columns: [], rows: [] });
});

test('keeps every field and value of arbitrary objects', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b', null, 0, 'https://a.b/c', 'https://a.b/d/e'), fc.jsonValue());
  const object = fc.record({ id: fc.nat(), status: value, further: value });
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const wire = JSON.parse(JSON.stringify(objects)) as object[];
      expect(rowsOf(tableOf(wire))).toEqual(wire);
    }),
  );
});

test('if a row lacks a field whose name is a property of Object.prototype, the field is null', () => {
  const objects = JSON.parse('[{ "id": 1, "constructor": 2, "__proto__": 3 }, { "id": 4 }]');
  expect(tableOf(objects)).toEqual({
    columns: ['id', 'constructor', '__proto__'],
    rows: [
      [1, 2, 3],
      [4, null, null],
    ],
  });
});
