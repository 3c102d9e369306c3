import { expect, test } from 'vitest';
import { hasLicenseCodes, orderStatuses, statusReading } from './order.ts';

test('only paid and completed orders can have license codes [S-37]', () => {
  expect(orderStatuses.filter(hasLicenseCodes)).toEqual(['bezahlt', 'abgeschlossen']);
});

test.each(['wartend', 'toString', '', null, 1])('returns undefined for the unknown status %o [U-54]', (status) => {
  expect([statusReading(status), hasLicenseCodes(status)]).toEqual([undefined, undefined]);
});
