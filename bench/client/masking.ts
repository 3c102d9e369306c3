import { maskResponse, orderShape } from '@order-license/core/masking';
import { table } from '../table.ts';

const bytes = 10_000_000;
const keys = 200_000;
const rounds = 3;

const code = (license_key: unknown): object => ({ id: 1, license_key, code_typ: 'retail' });
const key = (index: number): string => {
  const digits = String(index * 7_919).padStart(10, '0');
  return `K${digits.slice(0, 4)}-${digits.slice(4, 8)}-${digits.slice(6)}-AB12C-${digits.slice(1, 6)}`;
};
const manyKeys = Array.from({ length: keys }, (_, index) => code(key(index)));
const fewKeys = [code('AAAAA-BBBBB-CCCCC-DDDDD'), code('ab12')];
const repeat = (text: string): string => text.repeat(bytes / text.length);

/** Each text, and the license codes of its order. */
const kinds: Record<string, [product_name: string, license_codes: unknown[]]> = {
  letters: [repeat('a'), fewKeys],
  'percent signs': [repeat('%C3aB7x9z '), fewKeys],
  'percent signs encoded twice': [repeat('%252D'), fewKeys],
  'e-mail addresses': [repeat('a@b.c '), fewKeys],
  'HTML and JSON escapes': [repeat('&#45;\\u002d'), fewKeys],
  'escapes of every kind': [repeat('%252D&amp;%2D'), fewKeys],
  backslashes: [repeat('\\\\'), fewKeys],
  'starts of keys of 1,000 lengths': [
    repeat(`${'A'.repeat(1_500)} `),
    Array.from({ length: 1_000 }, (_, index) => code(`${'A'.repeat(index + 8)}C`)),
  ],
  'words, with 200,000 keys': [repeat('Office-Paket 24 '), manyKeys],
  'words, with a key of 200,000 words': [
    repeat('Office-Paket 24 '),
    [code(Array.from({ length: keys }, (_, index) => `word${100_000 + index}`).join(' '))],
  ],
};

/** Measures the CPU time to mask an order with a text of 10 MB and its license keys: the fastest of three rounds. */
export const benchMasking = (): string =>
  table(
    ['10 MB of', 'CPU time'],
    Object.entries(kinds).map(([kind, [product_name, license_codes]]) => {
      const order = { id: 1, bestellnummer: 'B-1', items: [{ id: 2, product_name, license_codes }] };
      const times = Array.from({ length: rounds }, () => {
        const before = process.cpuUsage();
        maskResponse(order, orderShape, { personalData: true });
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1_000_000;
      });
      return [kind, `${Math.min(...times).toFixed(2)} s`];
    }),
  );

if (import.meta.main) console.log(benchMasking());
