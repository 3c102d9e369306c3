import type { N8nProcess } from './n8n-process.ts';
import { minuteMs, sleep } from './virtual-day.ts';

/** What people who use n8n experienced. */
export interface UserReport {
  /** Duration of each *From List* search, ms; Infinity if it failed. */
  searches: number[];
  /** Duration of each export, ms. */
  exports: number[];
  /** Messages of failures while everything was up. */
  failures: Set<string>;
}

export const newUserReport = (): UserReport => ({ searches: [], exports: [], failures: new Set() });

interface Desk {
  /** The running process, or undefined while n8n is down. */
  process(): N8nProcess | undefined;
  /** Whether everything has been up since `from`. */
  wasUp(from: number): boolean;
  /** Returns how many orders the shop has. */
  orders(): number;
  report: UserReport;
  random(): number;
  until: number;
}

const note = ({ report }: Desk, what: string, error: unknown): void => {
  const { message, description } = error as { message: string; description?: string };
  report.failures.add(`${what}: ${message}. ${description}`);
};

/** Returns the result of a call; undefined if its process is killed first. */
const orKilled = <Result>(process: N8nProcess, work: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([work, process.killed.then(() => undefined)]);

/**
 * Simulates a user in the editor who opens *From List*, sometimes types or scrolls, and runs *Get Order* with the first
 * result.
 */
export const editNow = async (desk: Desk): Promise<void> => {
  const { process, random, report, until, wasUp } = desk;
  for (;;) {
    await sleep((2 + random() * 8) * minuteMs);
    if (Date.now() > until) return;
    const n8n = process();
    if (!n8n) continue;
    const from = Date.now();
    try {
      const dice = random();
      const first = await orKilled(n8n, n8n.search(dice < 0.2 ? 'B-20' : undefined));
      if (!first || !wasUp(from)) continue;
      report.searches.push(Date.now() - from);
      if (dice > 0.8 && first.paginationToken !== undefined) {
        const scrolledAt = Date.now();
        await orKilled(n8n, n8n.search(undefined, String(first.paginationToken)));
        if (wasUp(from)) report.searches.push(Date.now() - scrolledAt);
      }
      const { value } = (first.results[0] ?? {}) as { value?: string };
      if (!value) continue;
      const order = { __rl: true, mode: 'list', value };
      await orKilled(n8n, n8n.execute({ resource: 'order', operation: 'getOrder', order }));
    } catch (error) {
      if (!wasUp(from)) continue;
      report.searches.push(Number.POSITIVE_INFINITY);
      note(desk, 'editor', error);
    }
  }
};

/** Simulates occasional exports with details. By default, an export has 300 orders, and one in four has up to 1,200. */
export const exportNow = async (desk: Desk, everyMs: number, size?: number): Promise<void> => {
  const { process, random, report, until, wasUp } = desk;
  for (;;) {
    await sleep(everyMs * (0.5 + random()));
    if (Date.now() > until) return;
    const n8n = process();
    if (!n8n) continue;
    const orders = size ?? (random() < 0.75 ? 300 : 300 + Math.floor(random() * 900));
    const from = Date.now();
    const expected = Math.min(orders, desk.orders());
    const parameters = { resource: 'order', operation: 'listOrders', limit: orders, includeDetails: true };
    try {
      const items = await orKilled(n8n, n8n.execute(parameters));
      if (!items || !wasUp(from)) continue;
      if (items.length < expected) throw new Error(`An export returned ${items.length} of ${expected} orders.`);
      report.exports.push(Date.now() - from);
    } catch (error) {
      if (wasUp(from)) note(desk, 'export', error);
    }
  }
};
