import type { FaultInput } from '@order-license/mock-api';
import { expect, test } from 'vitest';
import type { OrderLicenseError } from '../base/errors.ts';
import { connectionError } from '../base/host-errors.ts';
import type { ClientOptions } from '../client/client-options.ts';
import { errorOf, setUpVirtual } from '../client/virtual-client.fixture.ts';

/** Also returns `network`, whose `isDown` makes every connection fail. */
const setUp = (options: Partial<ClientOptions> = {}) => {
  const { clock, mock, events, newClientThrough } = setUpVirtual(options, { orders: 130 });
  const network = { isDown: false };
  const client = newClientThrough(async (request, usual) => {
    if (network.isDown) throw connectionError('ECONNREFUSED', { sent: false });
    return usual(request);
  });
  const failure = (work: Promise<unknown>) => clock.run(errorOf(work)) as Promise<OrderLicenseError>;
  const delays = () => events.flatMap((event) => (event.type === 'retry' ? [event.delayMs] : []));
  return { clock, mock, network, client, failure, delays };
};

test.each([
  [503, 'interactive'],
  [503, 'bulk'],
  [408, 'interactive'],
  [421, 'interactive'],
  [425, 'interactive'],
] as const)('retries a %i of an %s call after the time in Retry-After [U-41 U-58]', async (status, priority) => {
  const { clock, mock, client, delays } = setUp();
  mock.faults.add({ kind: 'status', status, retryAfter: 5, times: 2 });
  await clock.run(client.getMe({ priority }));
  expect(delays()).toEqual([5_000, 5_000]);
});

test('fails after two retries if no response had JSON, since the base URL may be wrong [U-43]', async () => {
  const { clock, mock, client, failure } = setUp();
  mock.faults.add({ kind: 'html', status: 200, times: 'always' });
  const error = await failure(client.getMe({ priority: 'bulk' }));
  expect(error).toMatchObject({ code: 'invalid_response', status: 200, attempts: 3, retryable: true });
  expect(clock.now()).toBeLessThan(5_000);
});

test('a walk gives up after three failed connections if the API has never responded', async () => {
  const { clock, network, client, failure } = setUp();
  network.isDown = true;
  const error = await failure(Array.fromAsync(client.orders({ limit: 1 })));
  expect(error).toMatchObject({ code: 'connection', attempts: 3 });
  expect(clock.now()).toBeLessThan(10_000);
});

test('once the API has responded, even with an error, a walk survives a minute without a connection', async () => {
  const { clock, network, client, failure } = setUp();
  expect(await failure(client.getOrder(1))).toMatchObject({ code: 'not_found' });
  network.isDown = true;
  clock.sleep(60_000).then(() => {
    network.isDown = false;
  });
  expect(await clock.run(Array.fromAsync(client.orders({ limit: 130 })))).toHaveLength(130);
});

test('a 503 whose Retry-After exceeds `maxWaitMs` ends the call at once with an error that says when to retry', async () => {
  const { clock, mock, client, failure } = setUp({ maxWaitMs: 20_000 });
  mock.faults.add({ kind: 'status', status: 503, retryAfter: 30, times: 1 });
  const error = await failure(client.getMe());
  expect(error).toMatchObject({ code: 'server', status: 503, attempts: 1, retryAfterMs: 30_000 });
  expect(error.message).toContain('in 30 s');
  expect(clock.now()).toBeLessThan(1_000);
});

const restart: FaultInput = { kind: 'status', status: 503, retryAfter: 5 };

/** Walks over a list while the API fails for `outageMs` from the second page on. */
const walkThroughOutage = async (setup: ReturnType<typeof setUp>, outageMs: number, fault = restart) => {
  const { clock, mock, client } = setup;
  const given: number[] = [];
  for await (const { id } of client.orders()) {
    given.push(id);
    if (given.length !== 50) continue;
    mock.faults.add({ ...fault, times: 'always' });
    clock.sleep(outageMs).then(() => mock.faults.clear());
  }
  return given;
};

test.each<[string, FaultInput]>([
  ['restarts', restart],
  ['sends a page with status 200', { kind: 'html', status: 200 }],
])('a walk outlasts a minute in which the API %s [U-43]', async (_, fault) => {
  const setup = setUp();
  const given = await setup.clock.run(walkThroughOutage(setup, 60_000, fault));
  expect(new Set(given).size).toBe(130);
});

test('a walk throws two minutes after the first failure', async () => {
  const setup = setUp();
  const error = await setup.failure(walkThroughOutage(setup, 3_600_000));
  expect(error).toMatchObject({ code: 'server', status: 503 });
  expect(error.attempts).toBeGreaterThan(15);
  expect(setup.clock.now()).toBeGreaterThan(110_000);
  expect(setup.clock.now()).toBeLessThan(125_000);
});

test('the two minutes of an outage begin after a pause for a 429', async () => {
  const { clock, mock, client } = setUp();
  mock.faults.add({ kind: 'status', status: 429, retryAfter: 150, times: 1 });
  mock.faults.add({ ...restart, times: 'always' });
  clock.sleep(200_000).then(() => mock.faults.clear());
  await clock.run(client.getMe({ priority: 'bulk' }));
  expect(clock.now()).toBeGreaterThanOrEqual(200_000);
});

test.each([
  [{ retries: 5 }, 6],
  [{ retries: 0 }, 1],
])('with %j, a walk makes exactly %i attempts per page', async (options, count) => {
  const setup = setUp(options);
  const { attempts } = await setup.failure(walkThroughOutage(setup, 3_600_000));
  expect(attempts).toBe(count);
});
