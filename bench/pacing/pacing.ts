import { table } from '../table.ts';
import { pacers } from './pacers.ts';
import { createVirtualService, windows } from './virtual-service.ts';
import { now, run } from './virtual-time.ts';

const requests = 600;
const inFlight = 8;
const seeds = [1, 2, 3];
/** 60 at once, then 60 more after each full minute. */
const minMs = (requests / 60 - 1) * 60_000;

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** 600 requests through each pacer, with each interpretation of "60 per minute", in virtual time. */
export const benchPacing = async (): Promise<string> => {
  const rows: string[][] = [];
  for (const [name, pacer] of Object.entries(pacers)) {
    const row = [name];
    for (const window of windows) {
      const ratios: number[] = [];
      const refusals: number[] = [];
      for (const seed of seeds) {
        const service = createVirtualService(window, seed);
        const startedAt = now();
        const ended = await run(
          pacer(service.request, requests, inFlight).then(
            () => true,
            () => false,
          ),
        );
        ratios.push(ended && service.served() === requests ? (now() - startedAt) / minMs : Infinity);
        refusals.push(service.refused());
      }
      const ratio = mean(ratios);
      row.push(ratio === Infinity ? 'never ends' : `${ratio.toFixed(3)} / ${Math.round(mean(refusals))}`);
    }
    rows.push(row);
    console.error(row.join('  '));
  }
  return table([`${requests} requests, ${inFlight} in flight`, ...windows], rows);
};

if (import.meta.main) console.log(await benchPacing());
