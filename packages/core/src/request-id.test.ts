import { expect, test } from 'vitest';
import type { ClientEvent } from './base/events.ts';
import { errorOf, setUpVirtual } from './client/virtual-client.fixture.ts';
import { createClient as createOnFetch } from './fetch.ts';
import { createClient as createOnNode } from './index.ts';
import { startMock } from './serve.fixture.ts';

test.each([
  ['Node', createOnNode],
  ['fetch', createOnFetch],
])('on %s, an error and its event have the request ID from the response', async (_, createClient) => {
  const { mock, service } = await startMock();
  const requests: ClientEvent[] = [];
  const client = createClient({
    ...service,
    retries: 0,
    onEvent: (event) => event.type === 'request' && requests.push(event),
  });
  mock.faults.add({ kind: 'status', status: 500, times: 1, headers: { 'X-Request-Id': 'req_42' } });
  const error = await errorOf(client.getMe());
  expect(error).toMatchObject({
    code: 'server',
    requestId: 'req_42',
    message: 'The API returned server error 500. Try again later. Request ID: req_42.',
  });
  expect(String((error as Error).stack)).toContain('Request ID: req_42.');
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ requestId: 'req_42' });
  await client.getMe();
  expect(requests).toMatchObject([{ status: 500, requestId: 'req_42' }, { status: 200 }]);
  expect(requests[1]).not.toHaveProperty('requestId');
});

/** A client whose API adds `id` to each response. */
const setUp = (id: (apiKey: string) => string = () => 'req_42') => {
  const { clock, mock, requests, newClientThrough } = setUpVirtual();
  const client = newClientThrough(async (request, usual) => {
    const response = await usual(request);
    return { ...response, headers: { ...response.headers, 'x-request-id': id(request.apiKey) } };
  });
  return { clock, mock, client, requests };
};

test('a 404, an unusable body, a 429 whose retry came too late, and a request that succeeded have the ID', async () => {
  const { clock, mock, client, requests } = setUp();
  await expect(clock.run(client.getOrder(1))).rejects.toMatchObject({ code: 'not_found', requestId: 'req_42' });
  mock.faults.add({ response: { status: 200, body: {} }, times: 1 });
  await expect(clock.run(client.getMe())).rejects.toMatchObject({ code: 'invalid_response', requestId: 'req_42' });
  await clock.run(client.getMe());
  mock.faults.add({ kind: '429', times: 1 });
  const limited = { code: 'rate_limited', source: 'server', retryAfterMs: 60_000, requestId: 'req_42' };
  const asked = clock.now();
  await expect(clock.run(client.getMe({ maxWaitMs: 20_000 }))).rejects.toMatchObject(limited);
  expect(clock.now() - asked).toBeLessThan(1_000);
  expect(requests).toMatchObject([404, 200, 200, 429].map((status) => ({ status, requestId: 'req_42' })));
});

test('an ID that contains the API key appears nowhere', async () => {
  const { clock, client, requests } = setUp((apiKey) => `key=${apiKey}`);
  await clock.run(client.getMe());
  const error = await clock.run(errorOf(client.getOrder(1)));
  expect(requests).toHaveLength(2);
  for (const shown of [error, ...requests]) expect(shown).not.toHaveProperty('requestId');
});
