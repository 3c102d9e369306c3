import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { Host } from '../base/host.ts';
import type { ApiKey } from '../call/api-key.ts';
import { errorOf, setUpVirtual } from './virtual-client.fixture.ts';

const setUp = () => {
  const { clock, mock, host, events, newClientThrough } = setUpVirtual({ retries: 0 });
  const sentKeys: string[] = [];
  const send: Host['send'] = (request) => {
    sentKeys.push(request.apiKey);
    return host(request.apiKey).send(request);
  };
  const clientOf = (apiKey: ApiKey, options = {}) => newClientThrough(send, { apiKey, ...options });
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

const throwCanary = () => {
  throw new Error('CANARY');
};

test.each<[string, () => unknown]>([
  ['returns a key with a space', () => 'CANARY 1'],
  ['returns a key with a line break', () => 'CANARY\n1'],
  ['returns an empty key', () => ''],
  ['returns undefined', () => undefined],
  ['returns a number', () => 5],
  ['throws', throwCanary],
  ['rejects', async () => throwCanary()],
])('an `apiKey` function that %s causes a `configuration` error that does not quote it [S-70]', async (how, apiKey) => {
  const { mock, events, clientOf } = setUp();
  const error = await errorOf(clientOf(apiKey as ApiKey, { retries: 2 }).getMe());
  expect(error).toMatchObject({ code: 'configuration', attempts: 0 });
  if (!how.startsWith('returns')) expect(String(error)).toContain('`apiKey` function');
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

test('a poll that gets no key in time returns a warning', async () => {
  const { clock, mock, clientOf } = setUp();
  let key: string | Promise<string> = mock.keys.business;
  const client = clientOf(() => key);
  const events = ['newOrder'] as const;
  const { state } = await clock.run(client.changes({ events }));
  key = new Promise(() => undefined);
  const { warnings } = await client.changes({ events, state, deadlineMs: 20 });
  expect(warnings.join()).toContain('The `apiKey` function returned no key within 20 ms');
});
