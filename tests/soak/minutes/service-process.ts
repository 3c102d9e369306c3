// Runs the mock in its own process. Reports its address, its orders and its counts, and ends with its parent process.
import { listen } from '@order-license/mock-api';
import type { Truth } from './truth.ts';

export interface ServiceCount {
  requests: number;
  rejected: number;
  violations: number;
  /** Counts by the program name in `User-Agent`. */
  byProgram: Record<string, ProgramRequests>;
}

export interface ProgramRequests {
  requests: number;
  lastAt: number;
  /** Longest time without a request. */
  longestGapMs: number;
}

export interface ServiceStart {
  baseUrl: string;
  apiKey: string;
  truth: Truth;
}

const service = await listen({ orders: 300, journalSize: 100 });
const count: ServiceCount = { requests: 0, rejected: 0, violations: 0, byProgram: {} };
service.journal.subscribe(({ at, status, violations, headers }) => {
  count.requests += 1;
  if (status === 429) count.rejected += 1;
  if (violations.length > 0) count.violations += 1;
  const name = headers['user-agent']?.split('/')[0] ?? '';
  count.byProgram[name] ??= { requests: 0, lastAt: at, longestGapMs: 0 };
  const program = count.byProgram[name];
  program.requests += 1;
  program.longestGapMs = Math.max(program.longestGapMs, at - program.lastAt);
  program.lastAt = at;
});
process.on('message', (message) => {
  if (message !== 'count') return;
  // The gap since the last request counts as well.
  const now = Date.now();
  for (const program of Object.values(count.byProgram)) {
    program.longestGapMs = Math.max(program.longestGapMs, now - program.lastAt);
  }
  process.send?.(count);
});
process.on('disconnect', () => void service.close());
// Ignores Ctrl-C: the parent process handles it, and ends this process.
process.on('SIGINT', () => undefined);
const orders = service.state.orders('business').page(0, 300);
const start: ServiceStart = {
  baseUrl: service.baseUrl,
  apiKey: service.keys.business,
  truth: orders.map(({ id, list }) => [id, String(BigInt(String(list.gesamtpreis_brutto).replace('.', '')))]),
};
process.send?.(start);
