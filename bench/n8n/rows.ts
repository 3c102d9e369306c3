import type { Row } from '../../tests/soak/one-key/run.ts';
import { table } from '../table.ts';

const seconds = (of: { median: number; p95: number } | undefined): string =>
  of ? `${of.median.toFixed(0)} / ${of.p95.toFixed(0)}` : '';

const cells = ({ name, figures, exportRatio }: Row): string[] => [
  name,
  ...(['newOrder', 'paid', 'completed', 'pendingStatus', 'otherStatus', 'licenseCode'] as const).map((kind) =>
    seconds(figures.delay[kind]),
  ),
  String(figures.lost + figures.repeated + figures.renamed + figures.unexpected),
  figures.fromList === undefined ? '' : `${(100 * figures.fromList).toFixed(1)}%`,
  exportRatio === undefined ? '' : exportRatio.toFixed(2),
  figures.requestsPerDay.toFixed(0),
  String(figures.rejected),
];

const head = [
  'a day on one key',
  'new order',
  'paid',
  'completed',
  'pending',
  'other status',
  'codes',
  'wrong',
  'From List within 5 s',
  'export / alone',
  'requests a day',
  '429',
];

/** Returns a table of simulated days on one key, without the columns that are empty in all of them. */
export const tableOfRows = (rows: Row[]): string => {
  const all = rows.map(cells);
  const isUsed = (_: string, column: number): boolean => all.some((row) => row[column] !== '');
  return table(
    head.filter(isUsed),
    all.map((row) => row.filter(isUsed)),
  );
};

/** Reports the result of a simulation on stderr. */
export const reportRow = ({ name, problems }: Row, _report: unknown, seconds: number): void =>
  console.error([`${name}: ${seconds.toFixed(0)} s`, ...problems].join('\n  '));
