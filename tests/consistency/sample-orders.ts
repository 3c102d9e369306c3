import type { MockServer } from '@order-license/mock-api';

/** Orders that programs often get wrong, in addition to those of every mock. */
export const insertOddOrders = ({ state }: MockServer): void => {
  state.insertOrder('business', {
    created_at: '1970-01-01 00:00:00',
    items: [{ product_name: 'Aus dem ersten Jahr', einzelpreis_brutto: '0.01' }],
  });
  state.insertOrder('business', { created_at: '2000-02-29 23:59:59', items: [] });
  state.insertOrder('business', { created_at: '2099-12-31 00:00:00', items: [{ product_name: '' }] });
  state.insertOrder('business', {
    created_at: '1970-01-02 00:00:00',
    waehrung: 'JPY',
    items: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that a template engine would replace
      { product_name: '<b>"\\\u2028 =1+1 __proto__ ${x} {{ $json }}\u0000', menge: 0, code_typ: null },
      {
        product_name: 'constructor',
        menge: 3,
        code_typ: 'volumen',
        license_codes: 9,
        aktivierungen_bestellung: 1_000_000,
      },
      { product_name: '👩‍👩‍👧 e\u0301 \ud83d', menge: 2, code_typ: 'account', downloads: 'none' },
    ],
  });
  for (const status of ['ausstehend', 'storniert', 'bezahlt'] as const) {
    state.insertOrder('business', {
      status,
      created_at: '1970-01-02 00:00:00',
      delivered: 1,
      items: [{ menge: 2, downloads: 'all' }],
    });
  }
};
