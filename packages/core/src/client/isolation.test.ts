import { expect, test, vi } from 'vitest';
import { OrderLicenseError } from '../base/errors.ts';
import type { Host } from '../base/host.ts';
import { createMemoryStore } from '../pace/permits.ts';
import type { RateLimitStore } from '../pace/store.ts';
import { errorOf, setUpVirtual } from './virtual-client.fixture.ts';

const setUp = () => {
  const { clock, mock, host, events, newClient, newClientThrough } = setUpVirtual({ retries: 0 });
  const warn = vi.fn<NonNullable<Host['warn']>>();
  const inner: Host = { ...host(mock.keys.business), warn };
  const memory = createMemoryStore({ requests: 60, holdMs: 61_000 }, clock.now);
  const withStore = (store: Partial<RateLimitStore>, options = {}) =>
    newClient({ host: inner, store: { ...memory, ...store }, ...options });
  return { clock, mock, host: inner, warn, events, memory, newClient, newClientThrough, withStore };
};

const broken = async () => {
  throw new Error('no store');
};

test('if `onEvent` throws, no call of any client with the same key fails', async () => {
  const { clock, host, warn, newClient } = setUp();
  const failure = new Error('a mistake');
  const noisy = newClient({
    host,
    onEvent() {
      throw failure;
    },
  });
  const quiet = newClient({ host });
  await clock.run(Promise.all(Array.from({ length: 60 }, () => quiet.getMe())));
  const calls = [noisy.getMe(), quiet.getMe(), quiet.getMe()];
  expect(await clock.run(Promise.allSettled(calls))).toMatchObject(calls.map(() => ({ status: 'fulfilled' })));
  expect(warn.mock.calls).toEqual([[expect.stringContaining('onEvent'), failure]]);
});

test('if the host’s `warn` throws, the call does not fail', async () => {
  const { clock, host, warn, newClient, withStore } = setUp();
  warn.mockImplementation(() => {
    throw new Error('no stderr');
  });
  await clock.run(newClient({ host, onEvent: broken }).getMe());
  await clock.run(withStore({ settle: broken }, { onEvent: undefined }).getMe());
  expect(warn).toHaveBeenCalledTimes(2);
});

test('loses no response and sends no second request if the store’s `settle` rejects', async () => {
  const { clock, mock, warn, events, withStore } = setUp();
  await clock.run(withStore({ settle: broken }, { retries: 2 }).getMe());
  await clock.run(withStore({ settle: broken }, { retries: 2, onEvent: undefined }).getMe());
  expect(mock.journal.total()).toBe(2);
  expect(events).toEqual([{ type: 'store_failed', step: 'settle' }]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('`settle`')]]);
});

test.each([
  ['rejects', broken, [{ type: 'store_failed', step: 'pause' }]],
  ['never settles', () => new Promise<void>(() => undefined), []],
])(
  'after a 429, no waiting call is sent during the pause, even if the store’s `pause` %s [S-84]',
  async (_, pause, failures) => {
    const { clock, mock, events, withStore } = setUp();
    mock.faults.add({ kind: 'status', status: 429, times: 1 });
    const client = withStore({ pause }, { concurrency: 1 });
    await clock.run(Promise.all([client.getMe(), client.getMe()]));
    const [limited = 0, next = 0] = mock.journal.entries().map(({ at }) => at);
    expect(next - limited).toBeGreaterThan(60_000);
    expect(events.filter(({ type }) => type === 'store_failed')).toEqual(failures);
    await client.close();
  },
);

test('if `take` rejects, the error names the store, and a retry calls `take` again', async () => {
  const { clock, mock, memory, withStore } = setUp();
  const error = { code: 'connection', message: expect.stringContaining('`store`'), sent: false, attempts: 0 };
  await expect(clock.run(withStore({ take: broken }).getMe())).rejects.toMatchObject(error);
  await clock.run(withStore({ take: vi.fn(memory.take).mockImplementationOnce(broken) }, { retries: 1 }).getMe());
  expect(mock.journal.total()).toBe(1);
});

test('rejects at once a call that cannot wait until a store with a reduced limit has a permit, and says why [S-84]', async () => {
  const { clock, withStore } = setUp();
  const client = withStore({ take: async () => ({ retryAt: 61_000, reduced: true }) }, { maxWaitMs: 20_000 });
  await expect(clock.run(client.getMe())).rejects.toMatchObject({
    source: 'local',
    reason: 'reduced',
    retryAfterMs: 61_000,
    message:
      'The shared rate-limit store is unavailable, or was until a minute ago, and the reduced limit (25%) has been reached. Call again in at least 61 s.',
  });
  expect(clock.now()).toBe(0);
});

test('a call returns without waiting for a slow store to settle its permit', async () => {
  const { clock, memory, withStore } = setUp();
  const settle = vi.fn(async (permit) => {
    await clock.sleep(800);
    await memory.settle(permit);
  });
  await clock.run(withStore({ settle }).getMe());
  expect(clock.now()).toBe(100);
  expect(settle).toHaveBeenCalledOnce();
});

test('a call whose `send` never settles ends at its timeout, or at once when aborted', async () => {
  const { clock, newClientThrough } = setUp();
  const real = AbortSignal.timeout.bind(AbortSignal);
  using _ = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => real(Math.ceil(ms / 100)));
  const client = newClientThrough(() => new Promise(() => undefined), { deadlineMs: 2_000 });
  await expect(client.getMe()).rejects.toMatchObject({ code: 'timeout' });
  const abort = new AbortController();
  const call = client.getMe({ signal: abort.signal });
  call.catch(() => undefined);
  await clock.advance(100);
  abort.abort('enough');
  await expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'enough', attempts: 1 });
});

test.each([
  [false, 60],
  [true, 58],
  [undefined, 58],
])('after two attempts that failed with `sent: %s`, %i permits remain', async (sent, left) => {
  const { clock, mock, newClientThrough } = setUp();
  let failures = 2;
  const client = newClientThrough(async (request, usual) => {
    if (failures-- > 0) throw new OrderLicenseError('connection', { detail: 'x', sent });
    return usual(request);
  });
  for (let call = 0; call < 2; call++) await clock.run(errorOf(client.getMe()));
  const startedAt = clock.now();
  await clock.run(Promise.all(Array.from({ length: left }, () => client.getMe())));
  expect(clock.now() - startedAt).toBeLessThan(10_000);
  expect(mock.journal.total()).toBe(left);
  await clock.run(client.getMe());
  expect(clock.now() - startedAt).toBeGreaterThan(55_000);
});
