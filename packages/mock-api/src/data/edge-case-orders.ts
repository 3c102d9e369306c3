import type { Line, Status } from './order.ts';

/** A fixed order among the newest of each account, for a case that clients often mishandle. */
interface EdgeCase {
  about: string;
  status: Status;
  lines: readonly Omit<Line, 'id'>[];
  currency?: string;
  /** Number of codes delivered so far. Default: all. */
  delivered?: number;
  onInvoice?: boolean;
}

const line = (productName: string, more: Partial<Omit<Line, 'id' | 'productName'>> = {}): Omit<Line, 'id'> => {
  const quantity = more.quantity ?? 1;
  return {
    productName,
    quantity,
    cents: 4_900,
    codeType: 'retail',
    downloads: 'both',
    codeCount: quantity,
    activations: 1,
    ...more,
  };
};

export type EdgeCaseName =
  | 'undelivered'
  | 'millions'
  | 'pending'
  | 'cancelled'
  | 'manyItems'
  | 'manyCodes'
  | 'free'
  | 'dollars'
  | 'allCodeTypes'
  | 'onInvoice'
  | 'hugeTotal'
  | 'volumeLicense'
  | 'noCodes'
  | 'partlyDelivered';

/** The edge cases by sample name, newest first. */
const cases: Readonly<Record<EdgeCaseName, EdgeCase>> = {
  undelivered: {
    about: 'Paid, but none of its 3 license codes is delivered yet (U-13).',
    status: 'bezahlt',
    lines: [line('Büro Suite 2026 Professional', { quantity: 3 })],
    delivered: 0,
  },
  millions: {
    about: 'Costs 1234567.89.',
    status: 'abgeschlossen',
    lines: [line('Rechenzentrumslizenz', { cents: 123_456_789 })],
  },
  pending: {
    about: 'Pending, so it has no license codes (U-12).',
    status: 'ausstehend',
    lines: [line('Straßenplaner Größe XL', { quantity: 2 })],
  },
  cancelled: {
    about: 'Cancelled, so it has no license codes (U-12).',
    status: 'storniert',
    lines: [line('Betriebssystem 11 Pro')],
  },
  manyItems: {
    about: 'Has 40 items.',
    status: 'abgeschlossen',
    lines: Array.from({ length: 40 }, (_, n) => line(`Schulungspaket Modul ${n + 1}`, { cents: 1_990 })),
  },
  manyCodes: {
    about: 'Has 500 license codes in one item.',
    status: 'abgeschlossen',
    lines: [line('Klassenzimmerlizenz', { quantity: 500, cents: 350 })],
  },
  free: {
    about: 'Costs 0.00.',
    status: 'bezahlt',
    lines: [line('Probelizenz kostenlos', { cents: 0 })],
  },
  dollars: {
    about: 'In USD; the others are in EUR (U-23).',
    status: 'abgeschlossen',
    lines: [line('Test fee', { cents: 10 })],
    currency: 'USD',
  },
  allCodeTypes: {
    about: 'Has all four code types, each with all four combinations of download URLs.',
    status: 'abgeschlossen',
    lines: [
      line('Büro Suite für Mac & PC', { quantity: 4, downloads: 'all' }),
      line('Serverzugriffslizenz ≥ 5 Geräte', { quantity: 4, codeType: 'volumen', downloads: 'all' }),
      line('办公套件 2026 标准版', { quantity: 4, codeType: 'account', downloads: 'all' }),
      line('Sicherung & Schutz 🚀 Jahresabo', { quantity: 4, codeType: 'abo', downloads: 'all' }),
    ],
  },
  onInvoice: {
    about: 'Completed, but not paid (U-21).',
    status: 'abgeschlossen',
    lines: [line('Virenschutz für Unternehmen', { quantity: 10 })],
    onInvoice: true,
  },
  hugeTotal: {
    about: 'Costs 90071992547409.93, more cents than a double counts exactly (U-22).',
    status: 'abgeschlossen',
    lines: [line('Konzernlizenz', { cents: 9_007_199_254_740_993n })],
  },
  volumeLicense: {
    about: 'Has one license code for 25 units (U-14).',
    status: 'bezahlt',
    lines: [line('Mehrplatzlizenz', { quantity: 25, codeType: 'volumen', codeCount: 1, activations: 25 })],
  },
  noCodes: {
    about: 'Completed with nothing to deliver, so it never has a license code (U-14).',
    status: 'abgeschlossen',
    lines: [line('Einrichtung vor Ort', { codeType: undefined, codeCount: 0 })],
  },
  partlyDelivered: {
    about: 'Paid, and 4 of its 10 license codes are delivered (U-13).',
    status: 'bezahlt',
    lines: [line('Bildbearbeitung "Élan"', { quantity: 10 })],
    delivered: 4,
  },
};

/** Their descriptions, newest first. */
export const edgeCases: readonly { name: EdgeCaseName; about: string }[] = Object.entries(cases).map(
  ([name, { about }]) => ({ name: name as EdgeCaseName, about }),
);

/** The newest orders of every account, newest first. */
export const edgeCaseOrders: readonly EdgeCase[] = Object.values(cases);
