/** The values of `code_typ` (§2.6). */
export const codeTypes = ['retail', 'volumen', 'account', 'abo'] as const;
export type CodeType = (typeof codeTypes)[number];

export interface Product {
  name: string;
  /** Gross unit price in cents. */
  cents: number;
  /** `undefined` for products without license codes. */
  codeType: CodeType | undefined;
  /** The download URLs of its codes. */
  downloads: 'both' | 'only64' | 'only32' | 'none';
}

/** Fictional products. Their names contain umlauts, sharp s, CJK and emoji to expose charset errors. */
export const products: readonly [Product, ...Product[]] = [
  { name: 'Büro Suite 2026 Professional', cents: 24_900, codeType: 'retail', downloads: 'both' },
  { name: 'Straßenplaner Größe XL', cents: 8_950, codeType: 'retail', downloads: 'only64' },
  { name: 'Serverzugriffslizenz (CAL), 5 Geräte', cents: 61_499, codeType: 'volumen', downloads: 'none' },
  { name: '办公套件 2026 标准版', cents: 13_999, codeType: 'account', downloads: 'only32' },
  { name: 'Sicherung & Schutz 🚀 Jahresabo', cents: 4_999, codeType: 'abo', downloads: 'both' },
  { name: 'Betriebssystem 11 Pro', cents: 15_900, codeType: 'retail', downloads: 'only64' },
  { name: '表計算ツール プロ', cents: 9_900, codeType: 'volumen', downloads: 'both' },
  { name: 'Einrichtung per Fernwartung', cents: 7_900, codeType: undefined, downloads: 'none' },
  { name: 'Bildbearbeitung "Élan" <64-bit>', cents: 3_490, codeType: 'account', downloads: 'only32' },
  { name: 'Virenschutz Übung & Prüfung', cents: 10, codeType: 'abo', downloads: 'none' },
];
