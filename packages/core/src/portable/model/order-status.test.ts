import { expect, test } from 'vitest';
import { hasLicenseCodes, orderStatuses, statusReading } from './order-status.ts';

test('S-37 paid and completed orders have license codes', () => {
  expect(orderStatuses.filter(hasLicenseCodes)).toEqual(['bezahlt', 'abgeschlossen']);
});

test.each(['wartend', 'toString', '', null, 1])('U-54 of the unknown status %o nothing is claimed', (status) => {
  expect([statusReading(status), hasLicenseCodes(status)]).toEqual([undefined, undefined]);
});
