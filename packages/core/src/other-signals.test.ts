import { expect, test } from 'vitest';
import { createClient } from './index.ts';
import { startMock } from './serve.fixture.ts';

/** Aborts like the package abort-controller, whose signals React Native uses: the platform rejects such signals. */
class OtherSignal extends EventTarget {
  aborted = false;
  abort() {
    this.aborted = true;
    this.dispatchEvent(new Event('abort'));
  }
}

const setUp = async (hasFetch: boolean) => {
  const { mock, service } = await startMock();
  const client = createClient({ ...service, ...(hasFetch && { fetch: globalThis.fetch }) });
  const other = new OtherSignal();
  return { mock, client, other, signal: other as unknown as AbortSignal };
};

const senders = [
  ['undici', false],
  ['`fetch`', true],
] as const;

test.each(senders)('with %s, a call and its retry accept the signal of a polyfill', async (_, hasFetch) => {
  const { mock, client, signal } = await setUp(hasFetch);
  mock.faults.add({ kind: '503', times: 1 });
  await expect(client.getMe({ signal })).resolves.toHaveProperty('user_id');
});

test.each(senders)('with %s, the signal of a polyfill ends a request', async (_, hasFetch) => {
  const { mock, client, other, signal } = await setUp(hasFetch);
  mock.faults.add({ kind: 'hang' });
  const call = client.getMe({ signal });
  await mock.journal.waitFor({ operation: 'me' });
  other.abort();
  await expect(call).rejects.toMatchObject({ code: 'aborted', attempts: 1 });
});

test('the signal of a polyfill ends `watch` while it waits for the next poll', async () => {
  const { client, other, signal } = await setUp(false);
  const save = () => void setTimeout(() => other.abort(), 20);
  expect(await Array.fromAsync(client.watch({ events: ['newOrder'], load: () => undefined, save, signal }))).toEqual(
    [],
  );
});
