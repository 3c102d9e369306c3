import { expect, test } from 'vitest';
import { createMock, type Mock } from './mock.ts';
import { headersFor, started } from './test-client.fixture.ts';

test("fetch with an aborted signal rejects with the signal's reason and sends no request [U-43]", async () => {
  const mock = createMock();
  const reason = new Error('the user left');
  await expect(mock.fetch('/api/v1/me', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const request = new Request('http://localhost/api/v1/me', { signal: AbortSignal.abort(reason) });
  await expect(mock.fetch(request)).rejects.toBe(reason);
  expect(mock.journal.total()).toBe(0);
});

test('a fault can have any status, including those without a body [U-43]', async () => {
  const mock = createMock({ limit: 'off' });
  for (let status = 200; status <= 599; status++) {
    const response = await mock.fetch('/api/v1/me', {
      headers: { 'x-mock-fault': JSON.stringify({ response: { status } }) },
    });
    expect(response.status).toBe(status);
    expect((await response.text()) === '', String(status)).toBe([204, 205, 304].includes(status));
  }
});

test.each([
  ['{}', ['S-02', 'S-41']],
  ['', ['S-02']],
])('fetch records a request with the body %j like the server does [S-41]', async (body, expected) => {
  const points = (mock: Mock) =>
    mock.journal.violations().map(({ violations }) => violations.map(({ point }) => point));
  const served = await started();
  await fetch(`${served.baseUrl}/orders`, { method: 'POST', headers: headersFor(served), body });
  const mock = createMock();
  await mock.fetch('/api/v1/orders', { method: 'POST', headers: headersFor(mock), body });
  expect([points(served), points(mock)]).toEqual([[expected], [expected]]);
});

test('a response of fetch names its URL and the reason, as the response of a server does', async () => {
  const served = await started();
  const fields = async (response: Response) => [new URL(response.url).pathname, response.status, response.statusText];
  const mock = createMock();
  expect(await fields(await mock.fetch('/api/v1/me?x=1'))).toEqual(
    await fields(await fetch(`${served.baseUrl}/me?x=1`)),
  );
});
