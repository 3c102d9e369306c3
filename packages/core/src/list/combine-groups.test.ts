import { expect, test } from 'vitest';
import { combineGroups } from './combine-groups.ts';
import type { TotalsGroup } from './sum-orders.ts';

const group = (waehrung: string | null, status: string, sum: string, count = 1): TotalsGroup => ({
  ...{ waehrung, status, zahlungsstatus: 'bezahlt', lieferstatus: 'offen', count, sum, unreadable: 0 },
});

test('adds up the groups of each currency exactly [S-20]', () => {
  const groups = [
    group('EUR', 'bezahlt', '0.10', 2),
    group('USD', 'bezahlt', '5.00'),
    group('EUR', 'storniert', '0.20'),
  ];
  expect(combineGroups(groups)).toEqual([
    { waehrung: 'EUR', count: 3, sum: '0.30', unreadable: 0 },
    { waehrung: 'USD', count: 1, sum: '5.00', unreadable: 0 },
  ]);
});

test('keeps the requested states, and a missing currency separate', () => {
  const groups = [group('EUR', 'bezahlt', '1.00'), group('EUR', 'storniert', '-2.50'), group(null, 'bezahlt', '0.00')];
  expect(combineGroups(groups, ['status'])).toEqual([
    { waehrung: 'EUR', status: 'bezahlt', count: 1, sum: '1.00', unreadable: 0 },
    { waehrung: 'EUR', status: 'storniert', count: 1, sum: '-2.50', unreadable: 0 },
    { waehrung: null, status: 'bezahlt', count: 1, sum: '0.00', unreadable: 0 },
  ]);
});
