import type { MockServer } from '@order-license/mock-api';

/** An order from the mock's state, independent of the response format. Every entry point is compared with it. */
export interface Truth {
  id: number;
  status: string;
  currency: string;
  createdAt: number;
  cents: bigint;
  lines: { id: number; productName: string; quantity: number; cents: bigint; codes: number }[];
}

/** All orders of the business account from the mock's state, newest first. */
export const truthOf = ({ state }: MockServer): Truth[] =>
  state
    .orders('business')
    .page(0, 100_000)
    .map(({ id, createdAt }) => {
      const { list, detail } = state.order(id);
      return { ...readTruth(list, detail), createdAt };
    });

interface WireOrder {
  id: number;
  status: string;
  waehrung: string;
  gesamtpreis_brutto: string;
  created_at: string;
  items: {
    id: number;
    product_name: string;
    menge: number;
    einzelpreis_brutto: string;
    license_codes: { license_key: string }[];
  }[];
}

/** Extracts the same fields from a list entry and an order that an entry point returned. */
export const readTruth = (entry: unknown, detail: unknown): Truth => {
  const { created_at } = entry as WireOrder;
  const { id, status, waehrung, gesamtpreis_brutto, items } = detail as WireOrder;
  return {
    id,
    status,
    currency: waehrung,
    createdAt: Date.parse(`${created_at.replace(' ', 'T')}Z`),
    cents: centsOf(gesamtpreis_brutto),
    lines: items.map(({ id, product_name, menge, einzelpreis_brutto, license_codes }) => {
      const cents = centsOf(einzelpreis_brutto);
      return { id, productName: product_name, quantity: menge, cents, codes: license_codes.length };
    }),
  };
};

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
