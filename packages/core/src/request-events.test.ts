import { expect, test } from 'vitest';
import { connectionError } from './base/host-errors.ts';
import { errorOf, setUpVirtual } from './client/virtual-client.fixture.ts';

test('emits an event per request with its wait, duration and status, but no data from the response', async () => {
  const { clock, client, requests } = setUpVirtual({ rateLimit: { requests: 2 } });
  const read = async () => {
    await client.getMe({ consumer: 'login of user 17' });
    const { orders } = await client.listOrders({ perPage: 1, status: 'bezahlt', priority: 'background' });
    return client.getOrder(orders[0]?.id ?? 0, { priority: 'bulk' });
  };
  const { id } = await clock.run(read());
  const returned = { type: 'request', attempt: 1, durationMs: 100, status: 200, code: undefined, sent: true };
  const unnamed = { ...returned, orderId: undefined, consumer: undefined, waitMs: 0 };
  expect(requests).toStrictEqual([
    { ...unnamed, operation: 'getMe', priority: 'interactive', consumer: 'login of user 17' },
    { ...unnamed, operation: 'listOrders', priority: 'background' },
    { ...unnamed, operation: 'getOrder', priority: 'bulk', orderId: String(id), waitMs: 60_900 },
  ]);
});

test('the events of a call carry its trace context', async () => {
  const events: unknown[] = [];
  const { clock, mock, client } = setUpVirtual({ onEvent: (event) => events.push(event) });
  mock.faults.add({ kind: 'status', status: 503, times: 1 });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await clock.run(client.getMe({ traceparent }));
  await clock.run(client.getMe());
  expect(events).toMatchObject([
    { type: 'request', traceparent },
    { type: 'retry', traceparent },
    { type: 'request', traceparent },
    { type: 'request' },
  ]);
  expect(events.at(-1)).not.toHaveProperty('traceparent');
});

test('the event of a failed request has its error code, and the status if there was a response', async () => {
  const { clock, mock, client, requests } = setUpVirtual();
  mock.faults.add({ kind: 'status', status: 503, times: 1 });
  mock.faults.add({ response: { status: 200, body: {} }, times: 1 });
  await expect(clock.run(client.getMe())).rejects.toMatchObject({ code: 'invalid_response' });
  await expect(clock.run(client.getOrder(1))).rejects.toMatchObject({ code: 'not_found' });
  expect(requests).toMatchObject([
    { attempt: 1, status: 503, code: 'server' },
    { attempt: 2, status: 200, code: 'invalid_response' },
    { attempt: 1, status: 404, code: 'not_found', orderId: '1' },
  ]);
});

test('a call rejected or aborted before anything is sent emits no request event', async () => {
  const { clock, client, requests } = setUpVirtual({ rateLimit: { requests: 1 } });
  await clock.run(client.getMe());
  await expect(client.getMe({ maxWaitMs: 0 })).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(client.getMe({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  expect(requests).toHaveLength(1);
});

test('a request that is aborted in flight counts as sent', async () => {
  const { clock, client, requests } = setUpVirtual();
  const abort = new AbortController();
  const call = errorOf(client.getMe({ signal: abort.signal }));
  await clock.advance(30);
  abort.abort();
  await clock.run(call);
  expect(requests).toMatchObject([{ durationMs: 30, status: undefined, code: 'aborted', sent: true }]);
});

test('an attempt whose connection is refused counts as unsent', async () => {
  const { requests, newClientThrough } = setUpVirtual({ retries: 0 });
  const client = newClientThrough(() => Promise.reject(connectionError('ECONNREFUSED', { sent: false })));
  await expect(client.getMe()).rejects.toMatchObject({ code: 'connection' });
  expect(requests).toMatchObject([{ type: 'request', status: undefined, code: 'connection', sent: false }]);
});
