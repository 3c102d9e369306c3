import { type Line, type OrderSummary, type Status, sumUp } from './order.ts';

/** A fixed order among the newest ones of each account: one case that clients get wrong. */
interface EdgeCase {
  status: Status;
  lines: readonly Omit<Line, 'id'>[];
  currency?: string;
  /** Codes delivered so far; all of them where absent. */
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

const cases: readonly EdgeCase[] = [
  // paid, but no code has been delivered yet (U-13)
  { status: 'bezahlt', lines: [line('Büro Suite 2026 Professional', { quantity: 3 })], delivered: 0 },
  { status: 'abgeschlossen', lines: [line('Rechenzentrumslizenz', { cents: 123_456_789 })] },
  { status: 'ausstehend', lines: [line('Straßenplaner Größe XL', { quantity: 2 })] },
  { status: 'storniert', lines: [line('Betriebssystem 11 Pro')] },
  {
    status: 'abgeschlossen',
    lines: Array.from({ length: 40 }, (_, n) => line(`Schulungspaket Modul ${n + 1}`, { cents: 1_990 })),
  },
  { status: 'abgeschlossen', lines: [line('Klassenzimmerlizenz', { quantity: 500, cents: 350 })] },
  { status: 'bezahlt', lines: [line('Probelizenz kostenlos', { cents: 0 })] },
  { status: 'abgeschlossen', lines: [line('Test fee', { cents: 10 })], currency: 'USD' },
  // all code types, and for each the four combinations of download URLs
  {
    status: 'abgeschlossen',
    lines: [
      line('Büro Suite für Mac & PC', { quantity: 4, downloads: 'all' }),
      line('Serverzugriffslizenz ≥ 5 Geräte', { quantity: 4, codeType: 'volumen', downloads: 'all' }),
      line('办公套件 2026 标准版', { quantity: 4, codeType: 'account', downloads: 'all' }),
      line('Sicherung & Schutz 🚀 Jahresabo', { quantity: 4, codeType: 'abo', downloads: 'all' }),
    ],
  },
  // completed, yet not paid: purchase on invoice (U-21)
  { status: 'abgeschlossen', lines: [line('Virenschutz für Unternehmen', { quantity: 10 })], onInvoice: true },
  // more cents than a double counts exactly: 90071992547409.93 (U-22)
  { status: 'abgeschlossen', lines: [line('Konzernlizenz', { cents: 9_007_199_254_740_993n })] },
  // one code for 25 units (U-14)
  {
    status: 'bezahlt',
    lines: [line('Mehrplatzlizenz', { quantity: 25, codeType: 'volumen', codeCount: 1, activations: 25 })],
  },
  // nothing to deliver at all (U-14)
  { status: 'abgeschlossen', lines: [line('Einrichtung vor Ort', { codeType: undefined, codeCount: 0 })] },
  // four of ten codes delivered (U-13)
  { status: 'bezahlt', lines: [line('Bildbearbeitung "Élan"', { quantity: 10 })], delivered: 4 },
];

/** The newest orders of every account, newest first. */
export const edgeCaseOrders: readonly (EdgeCase & Pick<OrderSummary, 'totalCents' | 'plannedCodes'>)[] = cases.map(
  (edgeCase) => ({
    ...edgeCase,
    ...sumUp(edgeCase.lines),
  }),
);
