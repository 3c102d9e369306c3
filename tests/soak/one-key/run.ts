import { type Figures, figuresOf } from './figures.ts';
import { brokenPromises, missedTimes } from './goals.ts';
import { exportsAlone, idleDay, paidMonth, scenarios } from './scenarios.ts';
import { type SimulationOptions, type SimulationReport, simulate } from './simulation.ts';
import { hourMs } from './virtual-day.ts';

/** The figures of one scenario, and what of it should not be. */
export interface Row {
  name: string;
  figures: Figures;
  /** Against an export that has the key for itself; undefined without exports. */
  exportRatio: number | undefined;
  problems: string[];
}

export interface RunOptions {
  /** Only scenarios whose name holds this. */
  only?: string | undefined;
  monthDays?: number;
  onRow(row: Row, report: SimulationReport, seconds: number): void;
}

/** Requests per day of a *New Order* that has nothing to do. */
const maxIdleRequests = 1_500;

/** Runs the days of one key, one after the other. */
export const runOneKey = async ({ only = '', monthDays, onRow }: RunOptions): Promise<Row[]> => {
  const rows: Row[] = [];
  const measure = async (name: string, options: SimulationOptions, judge: (figures: Figures) => string[]) => {
    if (!name.includes(only)) return;
    const startedAt = performance.now();
    const report = await simulate(options);
    const figures = figuresOf(report, (options.forMs + options.restMs) / (24 * hourMs));
    const exportRatio = figures.exportSeconds && figures.exportSeconds / alone;
    const row = { name, figures, exportRatio, problems: judge(figures) };
    rows.push(row);
    onRow(row, report, (performance.now() - startedAt) / 1_000);
  };
  const isCalm = ({ disturbances }: SimulationOptions): boolean => disturbances === undefined;

  const alone = figuresOf(await simulate(exportsAlone()), 1).exportSeconds ?? Number.NaN;
  for (const [name, options] of Object.entries(scenarios)) {
    await measure(name, options(), (figures) => [
      ...brokenPromises(figures, { isCalm: isCalm(options()) }),
      ...(isCalm(options()) ? missedTimes(figures, alone) : []),
    ]);
  }
  await measure('New Order alone, no orders come in', idleDay(), (figures) => [
    ...brokenPromises(figures, { isCalm: true }),
    ...(figures.requestsPerDay > maxIdleRequests
      ? [`${figures.requestsPerDay.toFixed(0)} requests a day with nothing new, goal at most ${maxIdleRequests}`]
      : []),
  ]);
  await measure('1 trigger, 25,000 paid orders, a month', paidMonth(monthDays), (figures) => [
    ...brokenPromises(figures, { isCalm: true }),
    ...missedTimes(figures, alone),
  ]);
  return rows;
};
