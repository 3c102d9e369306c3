import { OrderLicenseError } from '@order-license/core/portable';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows.fixture.ts';
import { describePart, tableOf } from './list-answer.ts';

test('describes the error that ended a call early without the headers of its response', async () => {
  const interruption = new OrderLicenseError('server', {
    detail: 'The API returned server error 502',
    advice: 'Try again later.',
    status: 502,
    received: 'text/html, 9 bytes, server: canary',
  });
  const described = describePart({ interruption }, undefined, { requests: () => 1 }, undefined);
  expect(described).toMatchObject({ advice: 'The API returned server error 502. Try again later.' });
});

test.each<[string, object[], object]>([
  [
    'keeps identifying fields in the rows even if their value is the same in all rows',
    Array(2).fill({ id: 1, license_key: 'A' }),
    { columns: ['id', 'license_key'], rows: Array(2).fill([1, 'A']) },
  ],
  [
    'has null for missing fields, also for those with names of properties of Object.prototype',
    JSON.parse('[{ "id": 1, "constructor": 2, "__proto__": 3 }, { "id": 4 }]'),
    {
      columns: ['id', 'constructor', '__proto__'],
      rows: [
        [1, 2, 3],
        [4, null, null],
      ],
    },
  ],
  ['has no rows if there are no objects', [], { columns: [], rows: [] }],
])('a table %s', (_, objects, table) => {
  expect(tableOf(objects)).toEqual(table);
});

test('a table keeps every field and value of arbitrary objects', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b', null, 0, 'https://a.b/c', 'https://a.b/d/e'), fc.jsonValue());
  const object = fc.record({ id: fc.nat(), status: value, further: value });
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const wire = JSON.parse(JSON.stringify(objects)) as object[];
      expect(rowsOf(tableOf(wire))).toEqual(wire);
    }),
  );
});
