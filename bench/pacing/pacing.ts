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

/** Sends 600 requests through each pacer, for each reading of "60 per minute", in one network and in virtual time. */
export const benchPacing = async (network: Network): Promise<string> => {
  const rows: string[][] = [];
  for (const [name, pacer] of Object.entries(pacers)) {
    const row = [name];
    for (const window of windows) {
      const runs = [];
      for (const seed of seeds) runs.push(await measure(pacer, window, seed, network));
      const ended = runs.filter((run) => run !== undefined);
      const ratio = mean(ended.map(({ ratio }) => ratio)).toFixed(3);
      const rejected = Math.round(mean(ended.map(({ rejected }) => rejected)));
      row.push(ended.length < runs.length ? 'never ends' : `${ratio} / ${rejected}`);
    }
    rows.push(row);
    console.error(row.join('  '));
  }
  return table([`${requests} requests, ${inFlight} in flight, ${network}`, ...windows], rows);
};

if (import.meta.main) {
  const tables = [];
  for (const network of Object.keys(networks) as Network[]) tables.push(await benchPacing(network));
  console.log(tables.join('\n\n'));
}
