// The package is an ES module, so start Jest with: NODE_OPTIONS=--experimental-vm-modules npx jest
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listen } from '@order-license/mock-api';

let mock;
beforeAll(async () => {
  mock = await listen();
});
beforeEach(() => mock.reset());
afterAll(() => mock.close());

// A placeholder for your client, which needs the mock's base URL and an API key.
const getMe = (key) =>
  fetch(`${mock.baseUrl}/me`, { headers: { authorization: `Bearer ${key}`, accept: 'application/json' } });

test('reads the owner of the key', async () => {
  const response = await getMe(mock.keys.business);
  expect((await response.json()).data.company).toBe('Müller & Söhne GmbH');
  expect(mock.journal.violations()).toEqual([]);
});

test('fails with a revoked key', async () => {
  expect((await getMe(mock.keys.revoked)).status).toBe(401);
  expect(mock.journal.count({ key: 'revoked', status: 401 })).toBe(1);
});
