import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from './n8n/receiver.ts';
import { type Server, startServer } from './n8n/server.ts';
import { createOwner, logIn } from './n8n/session.ts';
import { home, mock, serveShop } from './n8n/shop.ts';
import { until, untilPolledTwice } from './n8n/until.ts';
import { chain, everyFiveSeconds, orderLicenseTrigger, removeDuplicates, sendTo } from './n8n/workflows.ts';

const canary = 'canary-n8n-trigger';
let n8n: Server;
const logs: string[] = [];

/** The eventIds of the events that started the workflow. Its second step sends them here. */
const reported: string[] = [];
let receiver: Receiver;
const times = (eventId: string): number => reported.filter((one) => one === eventId).length;

let env: NodeJS.ProcessEnv;
const start = async () => {
  n8n = await startServer(home, { env });
};
const end = async (how: 'stop' | 'kill') => {
  await n8n[how]();
  logs.push(n8n.log());
};

const untilReported = (eventId: string) => until(`the event ${eventId}`, () => reported.includes(eventId));

const insert = (status: 'ausstehend' | 'bezahlt') => mock.state.insertOrder('business', { status }).id;

/** n8n's scheduler that commits a poll's state together with the execution. */
const durable = {
  N8N_SCHEDULER_ENABLED: 'true',
  N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
  N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
  N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

describe.each([
  { scheduler: 'in-memory', settings: {}, mostTimes: 2 },
  { scheduler: 'durable', settings: durable, mostTimes: 1 },
])('with the $scheduler scheduler', ({ settings, mostTimes }) => {
  serveShop(canary, { orders: 60 });

  beforeAll(async () => {
    env = settings;
    reported.length = 0;
    logs.length = 0;
    receiver = await startReceiver(({ body }) => reported.push(body));
    const trigger = orderLicenseTrigger({
      pollTimes: everyFiveSeconds,
      events: ['newOrder', 'paid', 'statusChanged', 'licenseCodeAvailable'],
    });
    const send = sendTo(receiver.url, '={{ $json.eventId }}');
    await home.importWorkflows([chain('watch', trigger, send), chain('tested', trigger, removeDuplicates, send)]);
    await home.run('publish:workflow', '--id', 'watch');
    await start();
    await untilPolledTwice(mock);
  });

  afterEach(() => {
    mock.faults.clear();
  });

  afterAll(async () => {
    await end('kill');
    receiver.close();
  });

  test('existing orders do not start the workflow; a new order, its payment and its license codes each start it once [S-71]', async () => {
    expect(reported).toEqual([]);
    const id = insert('ausstehend');
    await untilReported(`new-order:${id}`);
    mock.state.setStatus(id, 'bezahlt');
    await untilReported(`status:${id}:bezahlt`);
    await untilReported(`paid:${id}`);
    await until('its license codes', () => reported.some((one) => one.startsWith(`license-code:${id}:`)));
    await untilPolledTwice(mock);
    expect(new Set(reported).size).toBe(reported.length);
  });

  test('after a restart, reports each event from the downtime once [S-71]', async () => {
    const pending = insert('ausstehend');
    await untilReported(`new-order:${pending}`);
    await end('stop');
    const id = insert('ausstehend');
    mock.state.setStatus(pending, 'storniert');
    await start();
    await untilReported(`new-order:${id}`);
    await untilReported(`status:${pending}:storniert`);
    await untilPolledTwice(mock);
    // A step that is still busy can send the events of earlier orders in this time.
    const ofBoth = reported.filter((eventId) => [pending, id].some((one) => eventId.split(':')[1] === String(one)));
    expect(ofBoth.sort()).toEqual([`new-order:${pending}`, `new-order:${id}`, `status:${pending}:storniert`].sort());
    expect(new Set(reported).size).toBe(reported.length);
  });

  test('publishing again during a poll neither skips nor repeats events [S-71]', async () => {
    const id = insert('ausstehend');
    mock.faults.add({ kind: 'delay', ms: 4_000, times: 'always' });
    const from = mock.journal.total();
    await until('a poll', () => mock.journal.total() > from);
    const session = await createOwner(n8n.url).catch(() => logIn(n8n.url));
    await session.post('/rest/workflows/watch/deactivate', {});
    mock.faults.clear();
    await session.activate('watch');
    await untilReported(`new-order:${id}`);
    await untilPolledTwice(mock);
    expect(times(`new-order:${id}`)).toBe(1);
  });

  test('no event is skipped if n8n is killed during a poll [S-71]', async () => {
    const id = insert('ausstehend');
    mock.faults.add({ kind: 'delay', ms: 20_000, times: 'always' });
    const from = mock.journal.total();
    await until('a poll', () => mock.journal.total() > from);
    await end('kill');
    expect(times(`new-order:${id}`)).toBe(0);
    mock.faults.clear();
    await start();
    await untilReported(`new-order:${id}`);
    await untilPolledTwice(mock);
    expect(times(`new-order:${id}`)).toBe(1);
  });

  test('after two tests in the editor, Remove Duplicates passes on the event itself [S-71]', async () => {
    const session = await createOwner(n8n.url).catch(() => logIn(n8n.url));
    const unpublish = (workflow: string) => session.post(`/rest/workflows/${workflow}/deactivate`, {});
    const runTest = () => session.runFrom('tested', 'Order License Trigger');
    await unpublish('watch');
    await session.activate('tested');
    await untilPolledTwice(mock);
    await unpublish('tested');
    const id = insert('ausstehend');
    expect([await runTest(), await runTest()]).toEqual(['success', 'success']);
    expect(reported.filter((one) => one.endsWith(`new-order:${id}`))).toHaveLength(2);
    await session.activate('tested');
    await untilReported(`new-order:${id}`);
    await unpublish('tested');
    await session.activate('watch');
    await untilPolledTwice(mock);
  });

  test('if n8n is killed right after an event, the event is repeated at most once, with the same eventId [S-71]', async () => {
    const id = insert('ausstehend');
    await untilReported(`new-order:${id}`);
    await end('kill');
    const later = insert('ausstehend');
    await start();
    await untilReported(`new-order:${later}`);
    await untilPolledTwice(mock);
    expect(times(`new-order:${later}`)).toBe(1);
    expect(times(`new-order:${id}`)).toBeLessThanOrEqual(mostTimes);
  });

  test('n8n logs neither the API key nor a license key [S-70]', async () => {
    await end('stop');
    expect(logs.join('\n')).not.toContain(canary);
    await start();
  });
});
