import { expect, test } from 'vitest';
import { createMock } from '../engine.ts';

test("fetch with an aborted signal rejects with the signal's reason and sends no request [U-43]", async () => {
  const mock = createMock();
  const reason = new Error('the user left');
  await expect(mock.fetch('/api/v1/me', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const request = new Request('http://localhost/api/v1/me', { signal: AbortSignal.abort(reason) });
  await expect(mock.fetch(request)).rejects.toBe(reason);
  await expect(mock.fetch('/api/v1/me', { signal: AbortSignal.abort() })).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  );
  expect(mock.journal.total()).toBe(0);
});

test('a fault can have any status, including those without a body [U-43]', async () => {
  const mock = createMock({ limit: 'off' });
  for (let status = 200; status <= 599; status++) {
    const response = await mock.fetch('/api/v1/me', { headers: { 'x-mock-fault': String(status) } });
    expect(response.status).toBe(status);
    expect((await response.text()) === '', String(status)).toBe([204, 205, 304].includes(status));
  }
});
