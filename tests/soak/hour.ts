import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isOrderLicenseError } from '@order-license/core';
import { createClient } from '@order-license/core/portable';
import { createInProcessHost } from '@order-license/testing/in-process-host';

export interface HourReport {
  requests: number;
  walks: number;
  reads: number;
  rejected: number;
  /** Heap size after a garbage collection, every ten virtual minutes. */
  heapMiB: number[];
  problems: string[];
}

const hourMs = 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/**
 * Reads for an hour of virtual time, in this process and on one key: walks over 600 orders, and concurrent single
 * reads, from a mock that allows 60 requests per minute. Reports each 429, and each order that a walk misses.
 */
export const runHour = async (onProgress: (report: HourReport, minute: number) => void): Promise<HourReport> => {
  let turn = 0;
  const { clock, mock, host } = createInProcessHost(
    { orders: 600, journalSize: 100 },
    { tripMs: () => 20 + ((turn++ * 37) % 90) },
  );
  const apiKey = mock.keys.business;
  const client = createClient({ baseUrl: 'https://soak.example/api/v1', apiKey, host: host(apiKey), concurrency: 8 });
  const report: HourReport = { requests: 0, walks: 0, reads: 0, rejected: 0, heapMiB: [], problems: [] };
  mock.journal.subscribe(({ status }) => {
    report.requests += 1;
    if (status === 429) report.rejected += 1;
  });
  const ids = mock.state
    .orders('business')
    .page(0, 1_000)
    .map(({ id }) => id);

  const goOn = async (work: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; clock.now() < hourMs; round++) {
      await work(round).catch((error: unknown) => {
        if (!isOrderLicenseError(error)) throw error;
        report.problems.push(`${error.code}: ${error.message}`);
      });
    }
  };
  const walk = async (): Promise<void> => {
    const given: number[] = [];
    for await (const { id } of client.orders()) given.push(id);
    report.walks += 1;
    if (given.join() !== ids.join()) report.problems.push(`walk ${report.walks} gave ${given.length} orders`);
  };
  const read = async (round: number): Promise<void> => {
    const { id } = await client.getOrder(ids[round % ids.length] ?? 0);
    report.reads += 1;
    if (id !== ids[round % ids.length]) report.problems.push(`read ${report.reads} returned a different order`);
  };
  const watch = async (): Promise<void> => {
    for (let minute = 10; minute <= 60; minute += 10) {
      await clock.sleep(hourMs / 6);
      collectGarbage();
      report.heapMiB.push(process.memoryUsage().heapUsed / 2 ** 20);
      onProgress(report, minute);
    }
  };
  await clock.run(Promise.all([goOn(walk), goOn(walk), goOn(read), goOn(read), watch()]));
  if (report.rejected > 0) report.problems.push(`${report.rejected} requests were rejected with 429`);
  return report;
};
