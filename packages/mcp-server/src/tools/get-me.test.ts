import { expect, test } from 'vitest';
import { startSession } from '../testing/mcp-session.fixture.ts';

test('order_license_get_me sends one GET /me without query or body, whatever arguments a client adds [S-40 S-41 S-43 S-59 S-60]', async () => {
  const { call, mock } = await startSession();
  expect((await call('get_me', { random_string: 'x' })).data).toMatchObject({ user_id: 4711 });
  const request = { method: 'GET', path: '/api/v1/me', query: '', violations: [] };
  const headers = { accept: 'application/json', authorization: 'Bearer ***' };
  expect(mock.journal.entries()).toMatchObject([{ ...request, headers }]);
  expect(mock.journal.entries()[0]?.headers).not.toHaveProperty('content-length');
  expect(mock.journal.entries()[0]?.headers).not.toHaveProperty('content-type');
});
