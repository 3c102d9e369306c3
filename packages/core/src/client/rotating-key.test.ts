import { inspect } from 'node:util';
import { createInProcessHost } from '@order-license/testing/in-process-host';
import { faultOf } from '@order-license/testing/odd-responses';
import { expect, test, vi } from 'vitest';
import { isOrderLicenseError } from '../base/errors.ts';
import type { ClientEvent } from '../base/events.ts';
import type { Host } from '../base/host.ts';
import type { ApiKey } from '../call/api-key.ts';
import { createClient } from './client.ts';
import type { ClientOptions } from './client-options.ts';

let made = 0;

const setUp = () => {
  const { clock, mock, host } = createInProcessHost();
  const baseUrl = `https://rotation-${++made}.example/api/v1`;
  const sentKeys: string[] = [];
  const events: ClientEvent[] = [];
  const keyed: Host = {
    ...host(''),
    send(request) {
      sentKeys.push(request.apiKey);
      return host(request.apiKey).send(request);
    },
  };
  const clientOf = (apiKey: ApiKey, options: Partial<ClientOptions> = {}) =>
    createClient({
      baseUrl,
      apiKey,
      host: keyed,
      retries: 0,
      onEvent: (event) => event.type !== 'request' && events.push(event),
      ...options,
    });
  return { clock, mock, sentKeys, events, clientOf };
};

test('calls the `apiKey` function for each attempt, including retries', async () => {
  const { clock, mock, sentKeys, clientOf } = setUp();
  const keys = [mock.keys.business, mock.keys.businessSecond];
  mock.faults.add({ kind: 'status', status: 500, times: 1 });
  await clock.run(clientOf(() => keys.shift() ?? '', { retries: 1 }).getMe());
  expect(sentKeys).toEqual([mock.keys.business, mock.keys.businessSecond]);
});

test('a new key has its own limit, even if the function returns it asynchronously [S-78]', async () => {
  const { clock, mock, sentKeys, clientOf } = setUp();
  let apiKey = mock.keys.business;
  const client = clientOf(async () => {
    await clock.sleep(5);
    return ` ${apiKey}\n`;
  });
  const sixty = () => Promise.all(Array.from({ length: 60 }, () => client.getMe()));
  await clock.run(sixty());
  apiKey = mock.keys.businessSecond;
  await clock.run(sixty());
  expect(clock.now()).toBeLessThan(10_000);
  expect(new Set(sentKeys)).toEqual(new Set([mock.keys.business, mock.keys.businessSecond]));
});

test.each([['CANARY 1'], ['CANARY\n1'], [''], [undefined], [5]])(
  'throws `configuration` before anything is sent if the function returns %j as the key [S-70]',
  async (key) => {
    const { mock, clientOf } = setUp();
    const error = await clientOf(() => key as string, { retries: 2 })
      .getMe()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'configuration', attempts: 0 });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('CANARY');
    expect(mock.journal.total()).toBe(0);
  },
);

test.each<[string, () => string | Promise<string>]>([
  [
    'throws',
    () => {
      throw new Error('CANARY');
    },
  ],
  ['rejects', () => Promise.reject(new Error('CANARY'))],
])('an `apiKey` function that %s causes a `configuration` error without the function’s message', async (_, apiKey) => {
  const { mock, events, clientOf } = setUp();
  const error = await clientOf(apiKey, { retries: 2 })
    .getMe()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining('`apiKey` function') });
  expect(inspect([error, events], { depth: 9, showHidden: true })).not.toContain('CANARY');
  expect(mock.journal.total()).toBe(0);
});

test('reports the system’s error code if the function cannot read the key’s file', async () => {
  const { clientOf } = setUp();
  const failWith = (code: string) =>
    clientOf(() => Promise.reject(Object.assign(new Error('CANARY'), { code }))).getMe();
  await expect(failWith('ENOENT')).rejects.toMatchObject({
    code: 'configuration',
    reason: 'ENOENT',
    detail: 'The `apiKey` function threw an error (ENOENT), so nothing was sent',
  });
  await expect(failWith('CANARY1')).rejects.not.toHaveProperty('reason');
});

test('a call whose `apiKey` function never settles ends at the request timeout, or at once when aborted', async () => {
  const { clientOf } = setUp();
  const client = clientOf(() => new Promise(() => undefined), { timeoutMs: 20 });
  await expect(client.getMe()).rejects.toMatchObject({ code: 'timeout', sent: false, attempts: 0 });
  const abort = new AbortController();
  const call = client.getMe({ signal: abort.signal, timeoutMs: 30_000 });
  abort.abort('enough');
  await expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'enough' });
});

test('a poll for changes does not wait for the `apiKey` function beyond the poll’s deadline, or after an abort', async () => {
  const { clientOf } = setUp();
  const client = clientOf(() => new Promise(() => undefined));
  const events = ['newOrder'] as const;
  await expect(client.changes({ events, deadlineMs: 20 })).rejects.toMatchObject({ code: 'timeout', sent: false });
  await expect(client.changes({ events, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
});

test('a poll that cannot read the account of a new key leaves its events to the next poll', async () => {
  const { clock, mock, clientOf } = setUp();
  const keys = [mock.keys.business, mock.keys.businessSecond];
  const client = clientOf(() => keys[0] ?? '');
  const events = ['newOrder'] as const;
  const { state } = await clock.run(client.changes({ events }));
  keys.shift();
  const { id } = mock.state.insertOrder('business', {});
  mock.faults.add({ kind: 'status', status: 500, times: 1 });
  const failed = await clock.run(client.changes({ events, state }));
  expect(failed).toMatchObject({ events: [], warnings: [expect.stringContaining('The poll ended early')] });
  expect((await clock.run(client.changes({ events, state: failed.state }))).events).toMatchObject([{ order: { id } }]);
});

test('no event or inspection of the client contains a key that the function returned [S-70]', async () => {
  const { clock, mock, events, clientOf } = setUp();
  const apiKey = vi.fn(() => mock.keys.business);
  const client = clientOf(apiKey, { retries: 1 });
  mock.faults.add({ kind: 'status', status: 500, times: 1 });
  mock.faults.add({ ...faultOf('errorObject'), times: 2 });
  await clock.run(client.getMe().catch((error: unknown) => expect(isOrderLicenseError(error)).toBe(true)));
  expect(apiKey).toHaveBeenCalledTimes(2);
  expect(inspect([client, events], { depth: 9, showHidden: true })).not.toContain(mock.keys.business);
});
