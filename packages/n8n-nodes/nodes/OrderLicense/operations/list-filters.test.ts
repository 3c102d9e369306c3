import { installEnglishOnly } from '@order-license/testing/english-only';
import fc from 'fast-check';
import { type IDataObject, type IExecuteFunctions, type INode, NodeHelpers } from 'n8n-workflow';
import { expect, test, vi } from 'vitest';
import { serveEach, service } from '../../shared/service.fixture';
import { OrderLicense } from '../OrderLicense.node';
import { prepare, run, thrownBy } from '../run-node.fixture';
import { readFilters } from './list-filters';

serveEach({ limit: 'off' });

const filtersIn = (timezone: string, filters: object): IExecuteFunctions =>
  prepare(service, 'listOrders', { filters } as IDataObject, { timezone }).context;
const read = (createdFrom: unknown, timezone = 'Europe/Berlin') =>
  readFilters(filtersIn(timezone, { createdFrom }), 0).createdFrom?.toISOString();

test.each([
  ['2026-01-31', '2026-01-30T23:00:00.000Z'],
  ['2028-02-29', '2028-02-28T23:00:00.000Z'],
  ['2026-01-31T08:00', '2026-01-31T07:00:00.000Z'],
  ['2026-07-31T08:00:00', '2026-07-31T06:00:00.000Z'],
  [' 2026-01-31T08:00:00Z\n', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00:00.250-05:00', '2026-01-31T13:00:00.250Z'],
  ['2026-01-01T01:00:00+0530', '2025-12-31T19:30:00.000Z'],
  ['2026-01-31 08:00:00', '2026-01-31T07:00:00.000Z'],
  ['2026-01-31 08:00', '2026-01-31T07:00:00.000Z'],
  ['2026-01-31 08:00:00+05:30', '2026-01-31T02:30:00.000Z'],
  ['2026-01-31 08:00:00Z', '2026-01-31T08:00:00.000Z'],
  ['2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
])("reads the date %j in its own time zone, or in the workflow's if it has none [S-22]", (given, used) => {
  expect(read(given)).toBe(used);
});

test('reads dates in a Node that has only English locale data, such as the package of Alpine', () => {
  const restore = installEnglishOnly();
  try {
    expect(read('2026-07-31', 'Asia/Kathmandu')).toBe('2026-07-30T18:15:00.000Z');
  } finally {
    restore();
  }
});

test.each([
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
  ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
])('reads %j in %s as the first instant with this local time', (given, timezone, used) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1) });
  try {
    expect(read(given, timezone)).toBe(used);
  } finally {
    vi.useRealTimers();
  }
});

test("accepts a Date, and the string form of n8n's DateTime [S-22]", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'),
      (date, zone) => {
        expect(read(date, zone)).toBe(date.toISOString());
        expect(read(date.toISOString(), zone)).toBe(date.toISOString());
      },
    ),
  );
});

test.each([
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '2027-02-29T12:00:00+02:00',
  '2026-13-01',
  '2026-01-31T25:00:00',
  '2026-01-31T08:61:00',
  '2026-01-31T08:00:00+99:00',
  '01/02/2026',
  '31.01.2026',
  '2026-02-30 08:00:00',
  'Sat, 31 Jan 2026 08:00:00 GMT',
  '2026',
  '12:30',
  'yesterday-ish',
  '0',
  0,
  20_260_131,
  1_767_225_600_000,
  true,
  {},
  ['2026-01-31'],
  new Date(Number.NaN),
])('rejects the date %j before anything is sent', async (date) => {
  service.journal.clear();
  for (const [name, label] of Object.entries({ createdFrom: 'Created From', createdBefore: 'Created Before' })) {
    const error = await thrownBy(run(service, 'listOrders', { filters: { [name]: date } as never }));
    expect(error).toMatchObject({
      message: `'${label}' is not a date`,
      description: expect.stringContaining('such as 2026-01-31 or'),
      context: { itemIndex: 0 },
    });
  }
  expect(service.journal.total()).toBe(0);
});

test.each(['', 'Berlin', 'GMT+2'])(
  'says that n8n has no time zone %j, and still reads dates with an offset',
  (zone) => {
    expect(() => read('2026-01-31', zone)).toThrow(/^The workflow's time zone is unknown.* GENERIC_TIMEZONE/);
    expect(read('2026-01-31T08:00:00+01:00', zone)).toBe('2026-01-31T07:00:00.000Z');
  },
);

test.each([
  ['2026-02-01', '2026-01-01'],
  ['2026-11-20', '2026-11-20T00:00:00'],
])('rejects the range from %s to %s, and says how to read one day', (createdFrom, createdBefore) => {
  const context = filtersIn('Europe/Berlin', { createdFrom, createdBefore });
  expect(() => readFilters(context, 0)).toThrow(
    "'Created From' is not before 'Created Before'. To read the orders of one day, set 'Created Before' to the next day.",
  );
});

test('n8n passes a blank date filter to the node only if the user added the filter', () => {
  const { description } = new OrderLicense();
  const node = { type: 'n8n-nodes-order-license.orderLicense', typeVersion: 1 } as INode;
  for (const filters of [{ createdFrom: '' }, { createdBefore: '' }, {}]) {
    for (const withDefaults of [true, false]) {
      const given = { resource: 'order', operation: 'listOrders', filters: { ...filters, status: ['bezahlt'] } };
      const kept = NodeHelpers.getNodeParameters(description.properties, given, withDefaults, false, node, description);
      expect(kept?.filters).toEqual(given.filters);
    }
  }
});
