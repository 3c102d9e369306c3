// `node bench/n8n/real.ts [minutes] [orders per hour]` uses one key in many ways in a real n8n. The defaults are 15 and
// 90.
// Two triggers, exports, the editor and examples/watch.ts run at the same time. Three orders cannot be read for several
// minutes. One trigger is republished while it polls. n8n is killed as it emits, and later restarted. The program is
// killed as well. The run ends with a verdict, and with exit code 1 for any problem.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ChangeEvent } from '@order-license/core';
import { listen } from '@order-license/mock-api';
import { createRandom } from '@order-license/testing/random';
import { searchFromList } from '../../e2e/n8n/editor.ts';
import { createHome } from '../../e2e/n8n/home.ts';
import { startReceiver } from '../../e2e/n8n/receiver.ts';
import { type Server, startServer } from '../../e2e/n8n/server.ts';
import { createOwner, logIn, type Session } from '../../e2e/n8n/session.ts';
import { behindWebhook, orderLicense, orderLicenseTrigger, sendTo } from '../../e2e/n8n/workflows.ts';
import { percentile } from '../../tests/soak/one-key/figures.ts';
import { createIntervals } from '../../tests/soak/one-key/intervals.ts';
import { type Delivery, judge, kinds } from '../../tests/soak/one-key/observer.ts';
import type { Emission } from '../../tests/soak/one-key/poller.ts';
import { createShop, usualShop } from '../../tests/soak/one-key/shop.ts';
import { table } from '../table.ts';

const minutes = Number(process.argv[2] ?? 15);
if (!(minutes >= 2 && minutes <= 240)) throw new RangeError('Pass a number of minutes from 2 to 240.');
const perHour = Number(process.argv[3] ?? 90);
if (!(perHour >= 1 && perHour <= 1_000)) throw new RangeError('Pass a number of orders per hour from 1 to 1,000.');
const minuteMs = 60_000;
/** Time during which orders change, ms. In the rest of the run, pending work finishes. */
const busyMs = minutes * minuteMs * 0.6;
/** Maximum extension of the run for events that are still missing, ms. Such events are late, not lost. */
const lateMs = 10 * minuteMs;
/** Time during which three orders cannot be read, ms. */
const brokenMs = Math.min(3 * minuteMs, busyMs / 3);
/** Requests per minute. n8n and the program each count their own requests. */
const shares = { n8n: 45, program: 15 };
/** Orders per export: few enough that an export finishes between two restarts. */
const exportSize = minutes < 10 ? 60 : 150;

const workflows = { orders: ['newOrder', 'statusChanged'], codes: ['paid', 'licenseCodeAvailable'] };
/** The events that the two workflows and the program `examples/watch.ts` watch. */
const watched = { ...workflows, program: ['newOrder', 'paid', 'licenseCodeAvailable'] };
const emissions: Record<keyof typeof watched, Emission[]> = { orders: [], codes: [], program: [] };
const down = createIntervals();
const programDown = createIntervals();
const random = createRandom(17);
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const mock = await listen({ orders: 0, journalSize: 1 });
/**
 * Requests rejected with 429, and how many of these came within two minutes of a restart. After a restart, the new
 * process does not know the requests of the previous one. The program next to n8n does not know of the pause that such
 * a 429 requires.
 */
let rejected = 0;
let rejectedAfterRestart = 0;
let restartedAt = 0;
const isAfterRestart = (at = Date.now()): boolean => at < restartedAt + 2 * minuteMs;
const violations: string[] = [];
let requests = 0;
/** The orders that cannot be read for several minutes, by ID. */
const broken = new Map<number, { failures: number; reads: number }>();
let onList: () => void = () => undefined;
mock.journal.subscribe((entry) => {
  requests += 1;
  const order = broken.get(Number(/orders\/(\d+)$/.exec(entry.path)?.[1]));
  if (order && entry.status === 500) order.failures += 1;
  if (order && entry.status === 200) order.reads += 1;
  if (entry.status === 429) rejected += 1;
  if (entry.status === 429 && isAfterRestart()) rejectedAfterRestart += 1;
  for (const { point, text } of entry.violations) {
    if (point !== 'S-84' || !isAfterRestart()) violations.push(`${point}: ${text}`);
  }
  if (entry.query.startsWith('page=1&')) onList();
});
const shop = createShop(mock, { ...usualShop, perHour, calmMs: 2 * minuteMs, deliveryMs: minuteMs }, createRandom(18));

let onEmission: () => void = () => undefined;
let onExport: (orders: number) => void = () => undefined;
const receiver = await startReceiver(({ path, body }) => {
  if (path === '/export') return onExport(Number(body));
  const source = path.slice(1) as keyof typeof watched;
  const items = source === 'program' ? [asItem(JSON.parse(body))] : JSON.parse(body);
  emissions[source].push({ at: Date.now(), items, isUnsaved: false });
  if (source !== 'program') onEmission();
});
/** Converts an event to an item as the trigger emits it. */
const asItem = ({ order, ...event }: ChangeEvent) => ({
  ...{ eventId: event.eventId, event: event.event, order: { id: order.id, status: order.status } },
  ...(event.event === 'licenseCodeAvailable' && { licenseCodeId: event.code.id }),
});
const home = createHome();
let server: Server | undefined;
let session: Session;

const watch = (id: keyof typeof workflows) => {
  const trigger = orderLicenseTrigger({ events: watched[id] });
  const body = '={{ JSON.stringify($input.all().map(({ json }) => json)) }}';
  const send = { ...sendTo(`${receiver.url}/${id}`, body), executeOnce: true };
  return {
    id,
    name: id,
    nodes: [trigger, send],
    connections: { [trigger.name]: { main: [[{ node: send.name, type: 'main', index: 0 }]] } },
  };
};
/**
 * Creates a workflow that exports orders. Its webhook responds at once, and the workflow sends the number of orders
 * when it has read them.
 */
const exportWorkflow = () => {
  const list = orderLicense('list', {
    resource: 'order',
    operation: 'listOrders',
    limit: exportSize,
    includeDetails: true,
  });
  const workflow = behindWebhook('export', list);
  for (const node of workflow.nodes) if (node.id === 'webhook') node.parameters.responseMode = 'onReceived';
  const send = { ...sendTo(`${receiver.url}/export`, '={{ String($input.all().length) }}'), executeOnce: true };
  const connections = {
    ...workflow.connections,
    [list.name]: { main: [[{ node: send.name, type: 'main', index: 0 }]] },
  };
  return { ...workflow, nodes: [...workflow.nodes, send], connections };
};

const folder = mkdtempSync(join(tmpdir(), 'order-license-watch-'));
const stateFile = join(folder, 'state.json');
const startProgram = (): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(new URL('../../examples/watch.ts', import.meta.url))], {
    env: {
      ...process.env,
      ORDER_LICENSE_BASE_URL: mock.baseUrl,
      ORDER_LICENSE_API_KEY: mock.keys.business,
      WEBHOOK_URL: `${receiver.url}/program`,
      WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`,
      STATE_FILE: stateFile,
      REQUESTS_PER_MINUTE: String(shares.program),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
let program: ChildProcess | undefined;
/** Marks emissions that happened so shortly before a crash that their state may not have been saved. */
const markUnsaved = (sources: (keyof typeof watched)[], diedAt: number): void => {
  for (const emission of sources.flatMap((source) => emissions[source])) {
    if (emission.at > diedAt - 5_000) emission.isUnsaved = true;
  }
};
const killProgram = async (): Promise<void> => {
  programDown.begin();
  program?.kill('SIGKILL');
  markUnsaved(['program'], Date.now());
  await sleep(10_000);
  program = startProgram();
  programDown.end();
};

const restart = async (how: 'kill' | 'stop'): Promise<void> => {
  down.begin();
  const diedAt = Date.now();
  await server?.[how]();
  if (how === 'kill') markUnsaved(['orders', 'codes'], diedAt);
  server = await startServer(home);
  restartedAt = Date.now();
  session = await logIn(server.url);
  down.end();
};
const once = (listen: (done: () => void) => void): Promise<void> =>
  Promise.race([new Promise<void>(listen), sleep(2 * minuteMs)]);

/** Makes the API fail for the next three orders that change. */
const breakOrders = async (): Promise<void> => {
  await sleep(busyMs * 0.1);
  const from = shop.history.length;
  const until = Date.now() + busyMs / 3;
  while (broken.size < 3 && Date.now() < until) {
    for (const { id } of shop.history.slice(from)) {
      if (broken.size === 3 || broken.has(id)) continue;
      broken.set(id, { failures: 0, reads: 0 });
      mock.faults.add({ kind: '500', id, times: 'always' });
    }
    await sleep(200);
  }
  await sleep(brokenMs);
  mock.faults.clear();
};

const disturb = async (): Promise<void> => {
  await sleep(busyMs * 0.1);
  await once((done) => (onList = done));
  await session.activate('orders');
  await sleep(busyMs * 0.5);
  await once((done) => (onEmission = done));
  await restart('kill');
  await killProgram();
  await sleep(busyMs * 0.15);
  await restart('stop');
};

let until = 0;
const wasUp = (from: number): boolean => {
  const now = Date.now();
  return down.outside(from, now) === now - from;
};
/**
 * The durations of *From List* searches; Infinity for a failed search. A search within two minutes after a restart can
 * fail: requests from before the restart count for a minute, and a 429 then pauses the key for another minute.
 */
const searches: { ms: number; isAfterRestart: boolean }[] = [];
const failures: string[] = [];
const edit = async (): Promise<void> => {
  while (Date.now() < until) {
    await sleep(5_000 + random() * 20_000);
    const from = Date.now();
    const filter = random() < 0.2 ? 'B-20' : undefined;
    const failure = await searchFromList(session, filter).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!wasUp(from)) continue;
    const isEarly = isAfterRestart(from);
    if (failure && !isEarly) failures.push(failure.message);
    searches.push({ ms: failure ? Number.POSITIVE_INFINITY : Date.now() - from, isAfterRestart: isEarly });
  }
};
const exports: number[] = [];
const exportAll = async (before: number): Promise<void> => {
  while (Date.now() < before) {
    const from = Date.now();
    const exported = new Promise<number>((resolve) => {
      onExport = resolve;
    });
    // Errors are ignored, because n8n is down at times, and registers its webhooks a moment after it reports that it is
    // ready.
    const started = await fetch(`${server?.url}/webhook/export`).catch(() => undefined);
    let isOver = false;
    const died = (async () => {
      while (wasUp(from) && !isOver) await sleep(1_000);
    })();
    const orders = started?.ok ? await Promise.race([exported, died]) : undefined;
    isOver = true;
    if (orders !== undefined && wasUp(from)) exports.push(Date.now() - from);
    if (orders !== undefined && orders !== exportSize)
      failures.push(`an export read ${orders} orders instead of ${exportSize}`);
    await sleep(5_000);
  }
};

try {
  const credential = { baseUrl: mock.baseUrl, apiKey: mock.keys.business, requestsPerMinute: shares.n8n };
  await home.importCredential(credential);
  await home.importWorkflows([watch('orders'), watch('codes'), exportWorkflow()]);
  for (const id of ['orders', 'codes', 'export']) await home.run('publish:workflow', '--id', id);
  server = await startServer(home);
  session = await createOwner(server.url);
  program = startProgram();
  // Orders that exist in the program's first poll are not events, so the run starts after that poll.
  for (let tries = 0; tries < 600 && !existsSync(stateFile); tries++) await sleep(100);
  until = Date.now() + minutes * minuteMs;
  const quietFrom = until - minuteMs;
  await Promise.all([shop.run(busyMs), disturb(), breakOrders(), edit(), exportAll(quietFrom)]);
  const deliveries = (): Delivery[] => {
    const names = new Map<string, string>();
    return Object.entries(watched).map(([id, events]) => {
      const pauses = id === 'program' ? programDown : down;
      const times = { down: pauses, pauses };
      return judge(shop, emissions[id as keyof typeof watched], { parameters: { events } }, times, names);
    });
  };
  for (; Date.now() < until + lateMs; await sleep(5_000)) {
    if (Date.now() > until && deliveries().every(({ lost }) => lost.length === 0)) break;
  }
  const all = deliveries();
  const rows = kinds.flatMap((kind) => {
    const ms = all.flatMap(({ latencies }) => latencies[kind]);
    const lost = all.flatMap(({ lost }) => lost).filter((name) => name.startsWith(kind)).length;
    if (ms.length + lost === 0) return [];
    return [[kind, ms.length, seconds(percentile(ms, 0.5)), seconds(percentile(ms, 0.95)), lost].map(String)];
  });
  console.log(table([`${minutes} minutes, 3,000 orders`, 'events', 'median, s', '95th percentile, s', 'lost'], rows));
  const sum = (of: (delivery: Delivery) => number): number => all.reduce((total, delivery) => total + of(delivery), 0);
  const searchesOf = (isAfterRestart: boolean): string => {
    const times = searches.filter((search) => search.isAfterRestart === isAfterRestart).map(({ ms }) => ms);
    const failed = times.filter((ms) => !Number.isFinite(ms)).length;
    return `${times.length}: ${times.filter((ms) => ms <= 5_000).length} took at most 5 s, ${failed} failed`;
  };
  const wrong = sum(({ repeated, renamed, unexpected }) => repeated.length + renamed.length + unexpected.length);
  const others = [
    ['events repeated without a crash, emitted with a different `eventId`, or emitted without a cause', String(wrong)],
    ['searches in *From List*, except after a restart', searchesOf(false)],
    ['searches in the two minutes after a restart', searchesOf(true)],
    ['duration of the exports that finished', exports.map((ms) => `${seconds(ms)} s`).join(', ')],
    ['requests', String(requests)],
    ['requests rejected with 429', `${rejected}: ${rejectedAfterRestart} in the two minutes after a restart`],
    ...[...broken].map(([id, { failures, reads }]) => [
      `reads of order ${id}, which failed for ${seconds(brokenMs)} s`,
      `${failures} failed, ${reads} did not`,
    ]),
  ];
  console.log(`\n${table(['in the whole run', ''], others)}`);
  const problems = [
    ...failures,
    ...violations,
    ...all.flatMap(({ lost, repeated, renamed, unexpected }, place) => [
      ...lost.map((name) => `lost by ${Object.keys(watched)[place]}: ${name}`),
      ...repeated.map((name) => `repeated: ${name}`),
      ...renamed.map((name) => `renamed: ${name}`),
      ...unexpected.map((name) => `unexpected: ${name}`),
    ]),
    ...(rejected > rejectedAfterRestart ? [`${rejected - rejectedAfterRestart} requests were rejected with 429`] : []),
    ...Object.entries(emissions).flatMap(([id, { length }]) => (length === 0 ? [`${id} emitted nothing`] : [])),
    ...(broken.size < 3 ? [`only ${broken.size} orders could not be read`] : []),
  ];
  for (const problem of problems) console.error(`PROBLEM ${problem}`);
  console.log(
    problems.length === 0
      ? '\nThe run passed: nothing was lost, repeated without a crash, or made up.'
      : `\nThe run failed, with ${problems.length} problems.`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await server?.kill();
  program?.kill('SIGKILL');
  receiver.close();
  home.remove();
  rmSync(folder, { recursive: true, force: true });
  await mock.close();
}
