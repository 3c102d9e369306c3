import { createMock } from '@order-license/mock-api';
import { createRandom } from '@order-license/testing/random';
import { type AssistantReport, askNow, newAssistantReport } from './assistant/assistant.ts';
import type { Disturbance } from './disturbance.ts';
import { createIntervals } from './intervals.ts';
import { type N8nProcess, startN8nProcess } from './n8n-process.ts';
import { createNetwork } from './network.ts';
import { type Delivery, judge } from './observer.ts';
import { createPoller, type PollCounts, type TriggerSettings } from './poller.ts';
import { createShop, type ShopOptions, usualShop } from './shop.ts';
import { editNow, exportNow, newUserReport, type UserReport } from './users.ts';
import { countViolations } from './violations.ts';
import { inVirtualTime, minuteMs, sleep, sleepUntil, startsAt } from './virtual-day.ts';

export interface SimulationOptions {
  seed: number;
  /** Time during which events occur in the shop, ms. */
  forMs: number;
  /** Time after `forMs` without new events, in which pending work completes, ms. */
  restMs: number;
  triggers: TriggerSettings[];
  shop?: Partial<ShopOptions>;
  disturbances?: Disturbance[];
  editor?: boolean;
  /** Average time between exports, ms; no exports if absent. */
  exportEveryMs?: number;
  /** Orders per export. If absent, an export has 300 orders, and sometimes more. */
  exportSize?: number | undefined;
  /**
   * Requests per minute for an assistant and for n8n, which use the same key. If absent, there is no assistant, and n8n
   * may send all 60.
   */
  shares?: { assistant: number; n8n: number } | undefined;
}

export interface SimulationReport {
  triggers: { settings: TriggerSettings; counts: PollCounts; delivery: Delivery }[];
  users: UserReport;
  assistant: AssistantReport;
  requests: number;
  /** Requests that the API rejected with 429. */
  rejected: number;
  /** Requests that violated the API docs: see `countViolations`. */
  violations: number;
  events: number;
}

/**
 * Simulates hours on one API key within seconds: a shop, an n8n with triggers, an editor and exports, and an assistant.
 */
export const simulate = (options: SimulationOptions): Promise<SimulationReport> => inVirtualTime(() => run(options));

const run = async (options: SimulationOptions): Promise<SimulationReport> => {
  const { seed, forMs, restMs, triggers, disturbances = [], shares } = options;
  const random = createRandom(seed);
  const mock = createMock({ frozenAt: startsAt, orders: 0, journalSize: 1, keys: { business: 'simulated-key' } });
  const users = { users: newUserReport(), assistant: newAssistantReport() };
  const report = { requests: 0, rejected: 0, ...users };
  const violations = countViolations();
  mock.journal.subscribe((entry) => {
    report.requests += 1;
    if (entry.status === 429) report.rejected += 1;
    violations.add(entry);
  });
  const network = createNetwork(mock, 'simulated-key', createRandom(seed + 1));
  const shop = createShop(mock, { ...usualShop, ...options.shop }, createRandom(seed + 2));
  const pollers = triggers.map((settings) => createPoller(settings, random));
  const down = createIntervals();
  const disturbed = createIntervals();
  const until = startsAt + forMs;
  const affected = [down, ...pollers.map(({ pauses }) => pauses)];
  const stop = (): void => {
    for (const times of affected) times.begin();
  };
  const resume = (): void => {
    for (const times of affected) times.end();
  };
  let n8n: N8nProcess | undefined;

  const start = (): void => {
    violations.restart('n8n-nodes-order-license');
    const started = startN8nProcess(network, shares?.n8n);
    n8n = started;
    for (const poller of pollers) void poller.activate(started);
  };
  const kill = async (downMs: number): Promise<void> => {
    if (!n8n) return;
    stop();
    n8n.kill();
    n8n = undefined;
    await sleep(downMs);
    start();
    resume();
  };
  const disturb = async (disturbance: Disturbance): Promise<void> => {
    await sleep(disturbance.atMs);
    switch (disturbance.kind) {
      case 'outage':
        stop();
        network.setOutage(disturbance.how);
        await sleep(disturbance.forMs);
        network.setOutage(undefined);
        return resume();
      case 'drops':
        disturbed.begin();
        network.setDrops(disturbance.share);
        await sleep(disturbance.forMs);
        network.setDrops(0);
        return disturbed.end();
      case 'kill': {
        if (disturbance.when === 'now') return kill(disturbance.downMs);
        for (const poller of pollers) {
          poller.killAtEmission(() => {
            for (const other of pollers) other.killAtEmission(undefined);
            void kill(disturbance.downMs);
          });
        }
        return;
      }
      case 'republish': {
        const poller = pollers[disturbance.trigger % pollers.length];
        const running = n8n;
        for (let waited = 0; waited < 2 * minuteMs && !poller?.isPolling(); waited += 100) await sleep(100);
        // Nobody publishes while n8n is down, or within its first seconds.
        if (running && n8n === running) void poller?.activate(running);
      }
    }
  };
  const wasUp = (from: number): boolean =>
    [down, disturbed].every((intervals) => intervals.outside(from, Date.now()) === Date.now() - from);
  const desk = {
    process: () => n8n,
    wasUp,
    orders: () => mock.state.orders('business').count(),
    report: report.users,
    random: createRandom(seed + 3),
    until,
  };
  const beside = { network, mock, shop, wasUp, report: report.assistant, random: createRandom(seed + 4), until };

  start();
  await Promise.all([
    shop.run(forMs),
    sleepUntil(until + restMs),
    ...disturbances.map(disturb),
    ...(options.editor ? [editNow(desk)] : []),
    ...(shares ? [askNow({ ...beside, requestsPerMinute: shares.assistant })] : []),
    ...(options.exportEveryMs ? [exportNow(desk, options.exportEveryMs, options.exportSize)] : []),
  ]);
  n8n?.kill();
  const names = new Map<string, string>();
  return {
    ...report,
    violations: violations.count(),
    events: shop.history.length,
    triggers: pollers.map(({ settings, counts, emissions, pauses }) => {
      return { settings, counts, delivery: judge(shop, emissions, settings, { down, pauses }, names) };
    }),
  };
};
