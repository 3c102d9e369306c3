import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import { cli, type HttpProcess, startBuiltServer } from './mcp/built-server.ts';
import type { Target } from './mcp/clients.ts';
import { installClients } from './mcp/install.ts';
import { type Order, readApi } from './read-api.ts';

installClients();
const { inspect, clients, proxies } = await import('./mcp/clients.ts');

const canary = 'canary-mcp-51c9';
const apiKey = `${canary}-api-key`;
const headers = { authorization: 'Bearer an-access-token-of-this-server' };
let mock: MockServer;
let http: HttpProcess;
let stdio: Target;
let remote: Target;
let orderNumber: string;
let order: Record<string, unknown>;

beforeAll(async () => {
  mock = await listen({ limit: 'off', keys: { business: apiKey }, licenseKeyPrefix: canary });
  const api = readApi(mock, apiKey);
  const { orders } = await api.read<{ orders: [Order] }>('/orders?status=abgeschlossen&per_page=1');
  orderNumber = orders[0].bestellnummer;
  // An order read by its number also contains the fields of its list entry.
  order = { ...orders[0], ...(await api.order(orders[0].id)) };
  const env = { ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_API_KEY: apiKey, ORDER_LICENSE_STORE: 'memory' };
  http = await startBuiltServer({ ...env, ORDER_LICENSE_ACCESS_TOKEN: 'an-access-token-of-this-server' });
  stdio = { command: process.execPath, args: [cli], env };
  remote = { url: http.url, headers };
});

afterAll(async () => {
  await http?.stop();
  await mock?.close();
});

describe.each([
  ['stdio', () => stdio, clients],
  ['HTTP', () => remote, { ...clients, ...proxies }],
] as const)('over %s', (_way, target, all) => {
  test.each(Object.entries(all))('%s lists the tools and reads an order with keys [S-01 S-29]', async (_, readWith) => {
    mock.journal.clear();
    const reading = await readWith(target(), orderNumber);
    expect(reading.tools.toSorted()).toEqual([
      'order_license_get_me',
      'order_license_get_order',
      'order_license_list_orders',
    ]);
    expect(reading.order).toEqual(order);
    expect(JSON.stringify(reading.order)).toContain(canary);
    expect(JSON.stringify(reading)).not.toContain(apiKey);
    expect(mock.journal.violations()).toEqual([]);
  });

  test('the Inspector reports nothing about the schemas [S-01]', async () => {
    const { stdout, stderr } = await inspect(target(), '--method', 'tools/list', '--strict');
    expect(JSON.parse(stdout).tools).toHaveLength(3);
    expect(stderr).toBe('');
  });
});

test('the HTTP server prints no key', () => {
  expect(http.printed()).not.toContain(canary);
});
