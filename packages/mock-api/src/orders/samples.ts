import type { ItemInput, OrderInput } from './order-fields.ts';
import type { InsertedOrder, StateStore } from './state.ts';

/** A sample: a fixed order for a case that clients often mishandle. Each account's newest orders are samples. */
interface SampleOrder extends OrderInput {
  about: string;
  items: ItemInput[];
}

const item = (product_name: string, menge = 1, more: ItemInput = {}): ItemInput => ({
  product_name,
  menge,
  einzelpreis_brutto: '49.00',
  ...more,
});

export type SampleName = keyof typeof cases | 'ofOtherAccount';

/** The orders by sample name, newest first. */
const cases = {
  undelivered: {
    about: 'Paid, but none of its 3 license codes has been delivered yet (U-13).',
    status: 'bezahlt',
    items: [item('Büro Suite 2026 Professional', 3)],
    delivered: 0,
  },
  millions: {
    about: 'Costs 1234567.89.',
    items: [item('Rechenzentrumslizenz', 1, { einzelpreis_brutto: '1234567.89' })],
  },
  pending: {
    about: 'Pending, so it has no license codes (U-12).',
    status: 'ausstehend',
    items: [item('Straßenplaner Größe XL', 2)],
  },
  cancelled: {
    about: 'Cancelled, so it has no license codes (U-12).',
    status: 'storniert',
    items: [item('Betriebssystem 11 Pro')],
  },
  manyItems: {
    about: 'Has 40 items.',
    items: Array.from({ length: 40 }, (_, n) =>
      item(`Schulungspaket Modul ${n + 1}`, 1, { einzelpreis_brutto: '19.90' }),
    ),
  },
  manyCodes: {
    about: 'Has 500 license codes in one item.',
    items: [item('Klassenzimmerlizenz', 500, { einzelpreis_brutto: '3.50' })],
  },
  free: {
    about: 'Costs 0.00.',
    status: 'bezahlt',
    items: [item('Probelizenz kostenlos', 1, { einzelpreis_brutto: '0.00' })],
  },
  dollars: {
    about: 'Is in USD; all other orders are in EUR (U-23).',
    items: [item('Test fee', 1, { einzelpreis_brutto: '0.10' })],
    waehrung: 'USD',
  },
  allCodeTypes: {
    about: 'Has all four code types, each with all four combinations of download URLs.',
    items: [
      item('Büro Suite für Mac & PC', 4, { downloads: 'all' }),
      item('Serverzugriffslizenz ≥ 5 Geräte', 4, {
        code_typ: 'volumen',
        downloads: 'all',
        license_codes: 4,
        aktivierungen_bestellung: 1,
      }),
      item('办公套件 2026 标准版', 4, { code_typ: 'account', downloads: 'all' }),
      item('Sicherung & Schutz 🚀 Jahresabo', 4, { code_typ: 'abo', downloads: 'all' }),
    ],
  },
  onInvoice: {
    about: 'Completed, but not paid (U-21).',
    items: [item('Virenschutz für Unternehmen', 10)],
    zahlungsstatus: 'offen',
  },
  hugeTotal: {
    about: 'Costs 90071992547409.93, more cents than a double can represent exactly (U-22).',
    items: [item('Konzernlizenz', 1, { einzelpreis_brutto: '90071992547409.93' })],
  },
  volumeLicense: {
    about: 'Has one license code for 25 units (U-14).',
    status: 'bezahlt',
    items: [item('Mehrplatzlizenz', 25, { code_typ: 'volumen' })],
  },
  noCodes: {
    about: 'Completed with nothing to deliver, so it never has license codes (U-14).',
    items: [item('Einrichtung vor Ort', 1, { code_typ: null })],
  },
  partlyDelivered: {
    about: 'Paid, with 4 of its 10 license codes delivered (U-13).',
    status: 'bezahlt',
    items: [item('Bildbearbeitung "Élan"', 10)],
    delivered: 4,
  },
} satisfies Record<string, SampleOrder>;

/** The newest orders of every account, newest first. */
export const sampleOrders: readonly SampleOrder[] = Object.values(cases);

/**
 * The account of each sample, and its index among the seeded orders, 0 for the newest. Without an index, the sample is
 * the newest order that exists.
 */
export const samplePlaces: readonly { name: SampleName; about: string; account: string; index?: number }[] = [
  ...Object.entries(cases).map(([name, { about }], index) => {
    return { name: name as SampleName, about, account: 'business', index };
  }),
  {
    name: 'ofOtherAccount',
    about: 'Belongs to the account otherAccount, so a request with the key business gets 404.',
    account: 'otherAccount',
  },
];

/** A generated order for a case that clients often mishandle. */
export interface Sample extends InsertedOrder {
  /** Describes the order as generated, before any change. */
  about: string;
}

/** Samples by name. Reading a sample that does not exist throws an Error. */
export type Samples = Readonly<Record<SampleName, Sample>>;

/** Returns the samples whose orders exist. */
export const samplesThere = ({ seeded }: StateStore): Partial<Samples> =>
  Object.fromEntries(
    samplePlaces.flatMap(({ name, about, account, index }) => {
      const order = seeded(account, index);
      return order ? [[name, { ...order, about }]] : [];
    }),
  );

/** Returns samples that are looked up each time they are read. */
export const createSamples = (state: StateStore): Samples => {
  const samples = {};
  for (const { name, account } of samplePlaces) {
    const get = (): Sample => {
      const sample = samplesThere(state)[name];
      if (sample) return sample;
      throw new Error(
        `there is no sample "${name}": its generated order does not exist in the account "${account}"; start the mock with its default data, or with at least ${sampleOrders.length} orders`,
      );
    };
    Object.defineProperty(samples, name, { enumerable: true, get });
  }
  return samples as Samples;
};
