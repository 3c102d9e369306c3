import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { callTool, connect, startMock, stderrOf } from '../testing/mcp-session.fixture.ts';
import { leaseStore } from './client.ts';

const newStorePath = (): string => join(temporaryFolder(), 'store.sqlite');

test("two servers started by one user share an API key's limit, through a file that does not contain the key [S-84]", async () => {
  const { mock, env } = await startMock();
  const path = newStorePath();
  const shared = { ...env, ORDER_LICENSE_STORE: `sqlite:${path}`, ORDER_LICENSE_REQUESTS_PER_MINUTE: '4' };
  const [one, two] = await Promise.all([connect(shared), connect(shared)]);
  for (const client of [one, two, one, two])
    expect((await callTool(client, 'order_license_get_me')).isError).toBe(false);
  for (const client of [one, two]) {
    expect((await callTool(client, 'order_license_get_me')).text).toMatch(
      /^rate_limited: Rate limit reached\. Call again in at least \d+ s\.$/,
    );
  }
  expect(mock.journal.total()).toBe(4);
  expect(readFileSync(path, 'latin1')).not.toContain(mock.keys.business);
});

test('a server whose store is unavailable uses a quarter of the limit and reports this on stderr', async () => {
  const { mock, env } = await startMock();
  const redis = 'redis://user:canary-password@127.0.0.1:1/0';
  const client = await connect({ ...env, ORDER_LICENSE_STORE: redis, ORDER_LICENSE_REQUESTS_PER_MINUTE: '8' });
  const stderr = stderrOf(client);
  for (let i = 0; i < 2; i++) expect((await callTool(client, 'order_license_get_me')).isError).toBe(false);
  const rejected = await callTool(client, 'order_license_get_me');
  expect(rejected.text).toMatch(
    /^rate_limited: The shared rate-limit store is unavailable, or was until a minute ago, .*\. Call again in at least \d\d s\.$/,
  );
  expect(mock.journal.total()).toBe(2);
  while (!stderr().includes('\n')) await setTimeout(5);
  expect(stderr()).toBe(
    'order-license-mcp: the rate-limit store cannot be used (Redis: ECONNREFUSED); the server counts requests in memory instead and sends at most 2 per minute; check ORDER_LICENSE_STORE.\n',
  );
});

// An address of this machine that the server does not recognize as local. Windows cannot connect to it.
test.skipIf(process.platform === 'win32')('plain HTTP to an allowed host is reported at startup [S-04]', async () => {
  const { env } = await startMock();
  const client = await connect({
    ...env,
    ORDER_LICENSE_BASE_URL: env.ORDER_LICENSE_BASE_URL.replace('127.0.0.1', '0.0.0.0'),
    ORDER_LICENSE_ALLOW_HTTP_HOSTS: '0.0.0.0',
    ORDER_LICENSE_STORE: `sqlite:${newStorePath()}`,
  });
  const stderr = stderrOf(client);
  expect((await callTool(client, 'order_license_get_me')).isError).toBe(false);
  while (!stderr().includes('\n')) await setTimeout(5);
  expect(stderr()).toBe(
    'order-license-mcp: API KEYS AND RESPONSES TRAVEL UNENCRYPTED BETWEEN THIS MACHINE AND 0.0.0.0 (ORDER_LICENSE_ALLOW_HTTP_HOSTS).\n',
  );
});

const settings = {
  baseUrl: 'https://shop.example/api/v1',
  allowHttpHosts: [],
  masking: { licenseKeys: false, personalData: false },
  orderCard: false,
  accessLog: false,
  requestsPerMinute: 60,
};
const lease = (apiKey: string) =>
  leaseStore({ ...settings, apiKey, store: { kind: 'sqlite', path: newStorePath() } }, () => undefined);

test('does not close a store that is in use, however many other callers send keys', async () => {
  const used = lease('key-in-use');
  for (let key = 0; key < 1_100; key++) lease(`key-${key}`).release();
  expect(await used.store?.take()).toHaveProperty('permit');
  expect(lease('key-in-use').store).toBe(used.store);
});

test('keeps the 32 most recently used stores open', async () => {
  const first = lease('unused-0');
  first.release();
  for (let key = 1; key < 32; key++) lease(`unused-${key}`).release();
  const again = lease('unused-0');
  expect(again.store).toBe(first.store);
  again.release();
  for (let key = 32; key < 64; key++) lease(`unused-${key}`).release();
  await expect(first.store?.take()).rejects.toMatchObject({ code: 'configuration' });
  expect(lease('unused-0').store).not.toBe(first.store);
});
