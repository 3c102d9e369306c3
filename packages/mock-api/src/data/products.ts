/** The values of `code_typ` (§2.6). */
export const codeTypes = ['retail', 'volumen', 'account', 'abo'] as const;
export type CodeType = (typeof codeTypes)[number];

export interface Product {
  name: string;
  /** Gross price of one, in cents. */
  cents: number;
  /** `undefined` for goods that come without a license code. */
  codeType: CodeType | undefined;
  /** Which download URLs its codes carry. */
  downloads: 'both' | 'only64' | 'only32' | 'none';
}

/** Invented goods. Their names hold umlauts, sharp s, CJK and emoji, so that a broken charset shows. */
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
