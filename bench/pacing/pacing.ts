import { table } from '../table.ts';
import { type Pacer, pacers } from './pacers.ts';
import { createVirtualService, type Network, networks, type Window, windows } from './virtual-service.ts';
import { now, run } from './virtual-time.ts';

const requests = 600;
const inFlight = 8;
const seeds = [1, 2, 3];
/** The theoretical minimum: 60 requests at once, then 60 more after each full minute. */
const minMs = (requests / 60 - 1) * 60_000;

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/**
 * Returns one pacer's ratio of time to theoretical minimum and its number of rejections; undefined if it never ended.
 */
const measure = async (pacer: Pacer, window: Window, seed: number, network: Network) => {
  const service = createVirtualService(window, seed, network);
  const startedAt = now();
  const ended = await run(
    pacer(service.request, requests, inFlight).then(
      () => true,
      () => false,
    ),
  );
  if (!ended || service.served() !== requests) return undefined;
  return { ratio: (now() - startedAt) / minMs, rejected: service.rejected() };
};

interface Result {
  window: Window;
  /** Time divided by the theoretical minimum; infinite if it never ended. */
  ratio: number;
  rejected: number;
}

/** Sends 600 requests for each reading of "60 per minute", in one network and in virtual time. */
const measureAll = async (pacer: Pacer, network: Network): Promise<Result[]> => {
  const results: Result[] = [];
  for (const window of windows) {
    const runs = [];
    for (const seed of seeds) runs.push(await measure(pacer, window, seed, network));
    const ended = runs.filter((run) => run !== undefined);
    const isEndless = ended.length < runs.length;
    const ratio = isEndless ? Number.POSITIVE_INFINITY : mean(ended.map((run) => run.ratio));
    results.push({ window, ratio, rejected: Math.round(mean(ended.map((run) => run.rejected))) });
  }
  return results;
};

const cell = ({ ratio, rejected }: Result): string =>
  Number.isFinite(ratio) ? `${ratio.toFixed(3)} / ${rejected}` : 'never ends';

const worst = (results: Result[]): string =>
  cell(results.reduce((one, other) => (other.ratio > one.ratio ? other : one)));

const names = Object.keys(networks) as Network[];

/** Returns a table with a row for each pacer and a column for each network. */
const tableOf = async (compared: [string, Pacer][]): Promise<string> => {
  const rows = [];
  for (const [name, pacer] of compared) {
    const row = [name];
    for (const network of names) row.push(worst(await measureAll(pacer, network)));
    rows.push(row);
    console.error(row.join('  '));
  }
  return table(['time / minimum, 429s', ...names], rows);
};

const [own, ...libraries] = Object.entries(pacers) as [[string, Pacer], ...[string, Pacer][]];
console.log(await tableOf(process.argv[2] === 'libraries' ? libraries : [own]));
