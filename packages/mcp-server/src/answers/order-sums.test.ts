import { type OrderSummary, sumOrders } from '@order-license/core/portable';
import { expect, test } from 'vitest';
import { describeSums } from './order-sums.ts';

test('counts a payment status whose name is a property of Object.prototype', () => {
  const orders = ['__proto__', 'constructor', 'constructor'].map((status, id) => ({
    ...{ id, status, zahlungsstatus: status, gesamtpreis_brutto: '1.00', waehrung: 'EUR' },
  }));
  expect(JSON.parse(JSON.stringify(describeSums(sumOrders(orders as OrderSummary[]))))).toEqual(
    JSON.parse(`{
      "by_status": { "__proto__": 1, "constructor": 2 },
      "by_currency": [{
        "waehrung": "EUR", "count": 3, "sum": "3.00",
        "sum_by_zahlungsstatus": { "__proto__": "1.00", "constructor": "2.00" }
      }],
      "groups": {
        "same": { "waehrung": "EUR", "lieferstatus": null },
        "columns": ["status", "zahlungsstatus", "count", "sum"],
        "rows": [["__proto__", "__proto__", 1, "1.00"], ["constructor", "constructor", 2, "2.00"]]
      }
    }`),
  );
});
