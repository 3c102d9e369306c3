import type { MockServer } from '@order-license/mock-api';

/** Orders that programs get wrong, beside those that every mock has. */
export const insertOddOrders = ({ state }: MockServer): void => {
  const dayMs = 86_400_000;
  state.insertOrder('business', { createdAt: 0, items: [{ productName: 'Aus dem ersten Jahr', unitPrice: '0.01' }] });
  state.insertOrder('business', { createdAt: Date.UTC(2000, 1, 29, 23, 59, 59), items: [] });
  state.insertOrder('business', { createdAt: Date.UTC(2099, 11, 31), items: [{ productName: '' }] });
  state.insertOrder('business', {
    createdAt: dayMs,
    currency: 'JPY',
    items: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that a template engine would take up
      { productName: '<b>"\\\u2028 =1+1 __proto__ ${x} {{ $json }}\u0000', quantity: 0, codeType: null },
      { productName: 'constructor', quantity: 3, codeType: 'volumen', codeCount: 9, activations: 1_000_000 },
      { productName: '👩‍👩‍👧 e\u0301 \ud83d', quantity: 2, codeType: 'account', downloads: 'none' },
    ],
  });
  for (const status of ['ausstehend', 'storniert', 'bezahlt'] as const) {
    state.insertOrder('business', {
      status,
      createdAt: dayMs,
      delivered: 1,
      items: [{ quantity: 2, downloads: 'all' }],
    });
  }
};
