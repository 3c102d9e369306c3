import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { readLedgerChoice } from '../config/store-choice.ts';
import { callTool, connect } from '../testing/mcp-session.fixture.ts';
import { openLedger } from './stores.ts';

const startMock = async (set = {}) => {
  const mock = await listen({ set });
  onTestFinished(() => mock.close());
  return { mock, env: { ORDER_LICENSE_BASE_URL: mock.baseUrl, ORDER_LICENSE_API_KEY: mock.keys.business } };
};

test('S-84 two servers of one user share the limit of a key, in a file without the key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5 }));
  const { mock, env } = await startMock();
  const path = join(folder, 'ledger.sqlite');
  const shared = { ...env, ORDER_LICENSE_LEDGER: `sqlite:${path}`, ORDER_LICENSE_REQUESTS_PER_MINUTE: '4' };
  const [one, two] = await Promise.all([connect(shared), connect(shared)]);
  for (const client of [one, two, one, two]) expect((await callTool(client, 'get_me')).isError).toBe(false);
  for (const client of [one, two]) {
    expect((await callTool(client, 'get_me')).text).toMatch(/^rate_limited: The limit .* call again in \d+ s\.$/);
  }
  expect(mock.journal.total()).toBe(4);
  expect(readFileSync(path, 'latin1')).not.toContain(mock.keys.business);
});

test('without its ledger a server goes on in memory with a quarter of the limit, and says so on stderr', async () => {
  const { mock, env } = await startMock();
  const redis = 'redis://user:canary-password@127.0.0.1:1/0';
  const client = await connect({ ...env, ORDER_LICENSE_LEDGER: redis, ORDER_LICENSE_REQUESTS_PER_MINUTE: '8' });
  const stderr = stderrOf(client);
  for (let i = 0; i < 2; i++) expect((await callTool(client, 'get_me')).isError).toBe(false);
  const refused = await callTool(client, 'get_me');
  expect(refused.text).toMatch(/^rate_limited: The shared ledger is or was out of reach, .*; call again in \d\d s\.$/);
  expect(mock.journal.total()).toBe(2);
  while (!stderr().includes('\n')) await setTimeout(5);
  expect(stderr()).toBe(
    'order-license-mcp: the ledger cannot be used (Redis: ECONNREFUSED); requests are counted in memory, at most 2 per minute.\n',
  );
});

test('the ledgers of keys that callers bring are bounded: the one that was not used for longest goes', () => {
  const settings = { baseUrl: 'https://shop.example/api/v1', maskKeys: false, requestsPerMinute: 60 };
  const ledger = { kind: 'redis', url: 'redis://127.0.0.1:1' } as const; // connects when it is first asked
  const open = (key: number) => openLedger({ ...settings, apiKey: `key-${key}`, ledger }, () => undefined);
  const [first, second] = [open(0), open(1)];
  for (let key = 2; key < 1_000; key++) open(key);
  expect(open(0)).toBe(first);
  open(1_000);
  expect(open(0)).toBe(first);
  expect(open(1)).not.toBe(second);
});

test('U-22 U-54 what differs from the API text is said once on stderr, without values, and given on', async () => {
  const { mock, env } = await startMock({ money: 'number', futureValues: 'on' });
  const client = await connect(env);
  const stderr = stderrOf(client);
  for (let i = 0; i < 2; i++) expect((await callTool(client, 'list_orders')).isError).toBe(false);
  expect((await callTool(client, 'get_me')).isError).toBe(false);
  while (!stderr().includes('\n')) await setTimeout(5);
  const lines = stderr().split('\n').filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^order-license-mcp: listOrders: the answer differs from the API text at .*orders\[\]\.gesamtpreis_brutto/,
  );
  expect(mock.journal.total()).toBe(3);
});

test.each([
  ['memory', { kind: 'memory' }],
  ['sqlite', { kind: 'sqlite', path: undefined }],
  ['sqlite:/var/lib/x.db', { kind: 'sqlite', path: '/var/lib/x.db' }],
  ['rediss://cache:6380/1', { kind: 'redis', url: 'rediss://cache:6380/1' }],
])('the ledger %s is understood', (value, choice) => {
  expect(readLedgerChoice(value)).toEqual(choice);
});

test('a path of Windows is understood there', () => {
  const file = 'C:\\Users\\a b\\ledger.sqlite';
  expect(readLedgerChoice(`sqlite:${file}`, win32)).toEqual({ kind: 'sqlite', path: file });
});

test.each([
  '',
  'file',
  'sqlite:',
  'sqlite:ledger.db',
  'sqlite:~/x.db',
  'sqlite::memory:',
  'redis',
  'redis://',
  'http://canary@cache',
])('the ledger %o is refused', (value) => {
  expect(() => readLedgerChoice(value)).toThrow(/^ORDER_LICENSE_LEDGER has to be/);
  expect(() => readLedgerChoice(value)).not.toThrow(/canary/);
});

const stderrOf = (client: Awaited<ReturnType<typeof connect>>): (() => string) => {
  let text = '';
  const { stderr } = client.transport as StdioClientTransport;
  stderr?.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  return () => text;
};
