// One key, many uses, in a real n8n: `node bench/n8n/real.ts [minutes] [orders per hour]`, default 15 and 60. Two
// triggers, exports and the editor run at once; one trigger is republished while it polls, n8n is killed as it emits,
// then restarted.
import { setTimeout as sleep } from 'node:timers/promises';
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
if (!(minutes >= 2 && minutes <= 240)) throw new RangeError('Give a number of minutes from 2 to 240.');
const perHour = Number(process.argv[3] ?? 60);
if (!(perHour >= 1 && perHour <= 1_000)) throw new RangeError('Give a number of orders an hour from 1 to 1,000.');
const minuteMs = 60_000;
/** How long orders change; the rest of the run lets pending work finish. */
const busyMs = minutes * minuteMs * 0.75;
/** For license codes still pending at the end. */
const mostExtraMs = 10 * minuteMs;
/** Small enough to finish between two restarts. */
const exportSize = minutes < 10 ? 60 : 150;

const watched = { orders: ['newOrder', 'statusChanged'], codes: ['paid', 'licenseCodeAvailable'] };
const emissions: Record<string, Emission[]> = { orders: [], codes: [] };
const down = createIntervals();
const random = createRandom(17);
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const mock = await listen({ orders: 0, journalSize: 1 });
/**
 * Requests that got 429, and how many of them within two minutes of a restart: the new process does not know the
 * requests of the previous one.
 */
let rejected = 0;
let refusedAfterRestart = 0;
let restartedAt = 0;
const violations: string[] = [];
let requests = 0;
let onList: () => void = () => undefined;
mock.journal.subscribe((entry) => {
  requests += 1;
  if (entry.status === 429) rejected += 1;
  if (entry.status === 429 && Date.now() < restartedAt + 2 * minuteMs) refusedAfterRestart += 1;
  for (const { point, text } of entry.violations) violations.push(`${point}: ${text}`);
  if (entry.query.startsWith('page=1&')) onList();
});
const shop = createShop(mock, { ...usualShop, perHour, calmMs: 2 * minuteMs, deliveryMs: minuteMs }, createRandom(18));

let onEmission: () => void = () => undefined;
let onExport: (orders: number) => void = () => undefined;
const receiver = await startReceiver(({ path, body }) => {
  if (path === '/export') return onExport(Number(body));
  emissions[path.slice(1)]?.push({ at: Date.now(), items: JSON.parse(body), isUnsaved: false });
  onEmission();
});
const home = createHome();
let server: Server | undefined;
let session: Session;

const watch = (id: keyof typeof watched) => {
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
/** Starts from a webhook that responds at once; sends the number of orders once they are read. */
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

const restart = async (how: 'kill' | 'stop'): Promise<void> => {
  down.begin();
  const diedAt = Date.now();
  await server?.[how]();
  // n8n may not have saved what it had just emitted.
  for (const emission of Object.values(emissions).flat()) {
    if (how === 'kill' && emission.at > diedAt - 5_000) emission.isUnsaved = true;
  }
  server = await startServer(home);
  restartedAt = Date.now();
  session = await logIn(server.url);
  down.end();
};
const once = (listen: (done: () => void) => void): Promise<void> =>
  Promise.race([new Promise<void>(listen), sleep(2 * minuteMs)]);

const disturb = async (): Promise<void> => {
  await sleep(busyMs * 0.1);
  await once((done) => (onList = done));
  await session.activate('orders');
  await sleep(busyMs * 0.5);
  await once((done) => (onEmission = done));
  await restart('kill');
  await sleep(busyMs * 0.15);
  await restart('stop');
};

let until = 0;
const wasUp = (from: number): boolean => {
  const now = Date.now();
  return down.outside(from, now) === now - from;
};
/** Infinity if the search failed. For a minute after a restart, earlier requests can still cause a 429. */
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
    if (failure) failures.push(failure.message);
    const ms = failure ? Number.POSITIVE_INFINITY : Date.now() - from;
    searches.push({ ms, isAfterRestart: from < restartedAt + minuteMs });
  }
};
const exports: number[] = [];
const exportAll = async (): Promise<void> => {
  while (Date.now() < until) {
    const from = Date.now();
    const exported = new Promise<number>((resolve) => {
      onExport = resolve;
    });
    // n8n registers webhooks shortly after it is ready, and is sometimes down.
    const started = await fetch(`${server?.url}/webhook/export`).catch(() => undefined);
    let isOver = false;
    const died = (async () => {
      while (wasUp(from) && !isOver) await sleep(1_000);
    })();
    const orders = started?.ok ? await Promise.race([exported, died]) : undefined;
    isOver = true;
    if (orders !== undefined && wasUp(from)) exports.push(Date.now() - from);
    if (orders !== undefined && orders !== exportSize) failures.push(`an export of ${orders} orders`);
    await sleep(5_000);
  }
};

try {
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: mock.keys.business });
  await home.importWorkflows([watch('orders'), watch('codes'), exportWorkflow()]);
  for (const id of ['orders', 'codes', 'export']) await home.run('publish:workflow', '--id', id);
  server = await startServer(home);
  session = await createOwner(server.url);
  until = Date.now() + minutes * minuteMs;
  await Promise.all([shop.run(busyMs), disturb(), edit(), exportAll()]);
  const deliveries = (): Delivery[] => {
    const names = new Map<string, string>();
    return Object.entries(watched).map(([id, events]) =>
      judge(shop, emissions[id] ?? [], { parameters: { events } }, down, names),
    );
  };
  for (const giveUpAt = Date.now() + mostExtraMs; Date.now() < giveUpAt; await sleep(5_000)) {
    if (deliveries().every(({ lost }) => lost.length === 0)) break;
  }
  const all = deliveries();
  const rows = kinds.map((kind) => {
    const ms = all.flatMap(({ latencies }) => latencies[kind]);
    const lost = all.flatMap(({ lost }) => lost).filter((name) => name.startsWith(kind)).length;
    return [kind, ms.length, seconds(percentile(ms, 0.5)), seconds(percentile(ms, 0.95)), lost].map(String);
  });
  console.log(table([`${minutes} minutes, 3,000 orders`, 'events', 'median, s', '95 %, s', 'lost'], rows));
  const sum = (of: (delivery: Delivery) => number): number => all.reduce((total, delivery) => total + of(delivery), 0);
  const fromList = (isAfterRestart: boolean): string => {
    const times = searches.filter((search) => search.isAfterRestart === isAfterRestart).map(({ ms }) => ms);
    const failed = times.filter((ms) => !Number.isFinite(ms)).length;
    return `${times.filter((ms) => ms <= 5_000).length} of ${times.length} (${failed} failed)`;
  };
  const wrong = sum(({ repeated, renamed, unexpected }) => repeated.length + renamed.length + unexpected.length);
  console.log(`
Repeated without a crash, under another \`eventId\` or without a cause: ${wrong}. *From List* within 5 s: ${fromList(false)}; in the minute after a restart: ${fromList(true)}. Exports: ${exports.map(seconds).join(', ')} s. ${requests} requests, ${rejected} answered 429, ${refusedAfterRestart} of them within two minutes of a restart: the new process doesn't know what the old one sent.`);
  for (const problem of [
    ...failures,
    ...violations,
    ...all.flatMap(({ lost, repeated, renamed, unexpected }) => [lost, repeated, renamed, unexpected].flat()),
  ]) {
    console.error(`PROBLEM ${problem}`);
  }
} finally {
  await server?.kill();
  receiver.close();
  home.remove();
  await mock.close();
}
