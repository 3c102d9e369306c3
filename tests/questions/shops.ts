import { createMock, type Mock } from '@order-license/mock-api';

export const product = 'Netzwerkscanner Pro';
/** A day with 18 orders, of which six contain the product. */
export const busyDay = '2026-03-03';

/**
 * A shop with several years of history and 1,200 orders, including a busy day, two currencies and orders on invoice.
 */
export const openSmallShop = (): Mock => {
  const mock = createMock({ orders: 1_200, limit: 'off' });
  const morning = Date.parse(`${busyDay}T08:00:00Z`);
  for (let n = 0; n < 18; n++) {
    const other = { product_name: `Werkzeug ${n}`, menge: 1 + (n % 4), einzelpreis_brutto: `${19 + n}.90` };
    const scanner = { product_name: product, menge: 1 + (n % 5), einzelpreis_brutto: '49.95' };
    mock.state.insertOrder('business', {
      created_at: new Date(morning + n * 1_800_000).toISOString(),
      waehrung: n % 4 === 1 ? 'USD' : 'EUR',
      status: n === 9 ? 'storniert' : 'abgeschlossen',
      ...(n % 6 === 2 ? { zahlungsstatus: 'offen' } : {}),
      items: n % 3 === 0 ? [other, scanner] : [other],
    });
  }
  return mock;
};

/** A shop with five years of history and 100,000 orders. */
export const openLargeShop = (): Mock => createMock({ orders: 100_000, limit: 'off', journalSize: 1 });
