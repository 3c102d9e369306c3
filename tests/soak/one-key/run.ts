import { type Figures, figuresOf } from './figures.ts';
import { brokenPromises, missedTimes } from './goals.ts';
import { exportsAlone, idleDay, paidOrders, scenarios } from './scenarios.ts';
import { type SimulationOptions, type SimulationReport, simulate } from './simulation.ts';
import { hourMs } from './virtual-day.ts';

/** The figures of one scenario, and its violations. */
export interface Row {
  name: string;
  figures: Figures;
  /**
   * Duration of the exports, as a multiple of the duration if nothing else uses n8n's part of the limit; undefined
   * without exports.
   */
  exportRatio: number | undefined;
  problems: string[];
}

export type OnRow = (row: Row, report: SimulationReport, seconds: number) => void;

/** Maximum number of requests per day from a *New Order* trigger if no orders arrive. */
const maxIdleRequests = 1_500;

const isCalm = ({ disturbances }: SimulationOptions): boolean => disturbances === undefined;

const measure = async (
  name: string,
  options: SimulationOptions,
  aloneSeconds: number,
  onRow: OnRow | undefined,
): Promise<Row> => {
  const startedAt = performance.now();
  const report = await simulate(options);
  const figures = figuresOf(report, (options.forMs + options.restMs) / (24 * hourMs));
  const problems = [
    ...brokenPromises(figures, { isCalm: isCalm(options) }),
    ...(isCalm(options) ? missedTimes(figures, aloneSeconds, options.triggers.length) : []),
  ];
  const row = { name, figures, exportRatio: figures.exportSeconds && figures.exportSeconds / aloneSeconds, problems };
  onRow?.(row, report, (performance.now() - startedAt) / 1_000);
  return row;
};

const exportSecondsAlone = async (shares: SimulationOptions['shares']): Promise<number> =>
  figuresOf(await simulate(exportsAlone(shares)), 1).exportSeconds ?? Number.NaN;

/**
 * Runs the scenarios of one key, one after another.
 * @param only part of the name of the scenarios to run; the default runs all
 */
export const runDays = async (only = '', onRow?: OnRow): Promise<Row[]> => {
  const rows: Row[] = [];
  /** Duration of an export if nothing else uses n8n's part of the limit, s; by n8n's requests per minute. */
  const alone = new Map<number | undefined, number>();
  for (const [name, options] of Object.entries(scenarios)) {
    if (!name.includes(only)) continue;
    const { shares } = options();
    const seconds = alone.get(shares?.n8n) ?? (await exportSecondsAlone(shares));
    alone.set(shares?.n8n, seconds);
    rows.push(await measure(name, options(), seconds, onRow));
  }
  const idleName = 'New Order alone, no new orders';
  if (!idleName.includes(only)) return rows;
  const idle = await measure(idleName, idleDay(), Number.NaN, onRow);
  const { requestsPerDay } = idle.figures;
  if (requestsPerDay > maxIdleRequests) {
    idle.problems.push(`${requestsPerDay.toFixed(0)} requests a day with nothing new, goal at most ${maxIdleRequests}`);
  }
  return [...rows, idle];
};

/** Runs a number of days with 25,000 paid orders, and a trigger for their status and license codes. */
export const runPaidOrders = async (days: number, onRow?: OnRow): Promise<Row[]> => [
  await measure(`1 trigger, 25,000 paid orders, ${days} days`, paidOrders(days), Number.NaN, onRow),
];
