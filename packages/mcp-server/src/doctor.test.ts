import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { listen, type MockServer } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { runDoctor } from './doctor.ts';
import { cliPath } from './mcp-session.fixture.ts';

const startMock = async (): Promise<MockServer> => {
  const mock = await listen();
  onTestFinished(() => mock.close());
  return mock;
};

const diagnose = async (baseUrl: string, apiKey: string, more: Record<string, string> = {}) => {
  const lines: string[] = [];
  const code = await runDoctor(
    { ORDER_LICENSE_BASE_URL: baseUrl, ORDER_LICENSE_API_KEY: apiKey, ORDER_LICENSE_LEDGER: 'memory', ...more },
    (line) => lines.push(line),
  );
  return { code, lines };
};

test('S-43 a healthy installation: one GET /me, a line for each thing, exit code 0', async () => {
  const mock = await startMock();
  mock.set({ dateHeader: 'on' });
  expect(await diagnose(mock.baseUrl, mock.keys.business)).toEqual({
    code: 0,
    lines: [
      'ok    configuration: license keys shown, at most 60 requests per minute',
      `ok    address: ${mock.baseUrl}`,
      'ok    API key: accepted',
      'ok    account: Müller & Söhne GmbH, DE123456789; API version 1.0',
      'ok    clock: within a minute of the time of the service',
      'ok    ledger: memory, for this process alone',
    ],
  });
  expect(mock.journal.entries()).toMatchObject([{ method: 'GET', path: '/api/v1/me', query: '', violations: [] }]);
});

test('S-43 S-68 a key that is refused: exit code 4', async () => {
  const mock = await startMock();
  const { code, lines } = await diagnose(mock.baseUrl, mock.keys.revoked);
  expect(code).toBe(4);
  expect(lines).toContainEqual(expect.stringMatching(/^fail {2}API key: The service refused the API key \(401\)/));
  expect(mock.journal.total()).toBe(1);
});

test('S-43 S-67 S-74 an account that is not a business account: exit code 5', async () => {
  const mock = await startMock();
  const { code, lines } = await diagnose(mock.baseUrl, mock.keys.private);
  expect(code).toBe(5);
  expect(lines).toContain('ok    API key: accepted');
  expect(lines).toContainEqual(expect.stringMatching(/^fail {2}account: .*\(403\); enter a company or a VAT ID/));
  expect(mock.journal.total()).toBe(1);
});

test('S-84 a limit that is spent: exit code 6', async () => {
  const mock = await startMock();
  mock.set({ limit: 1 });
  await fetch(`${mock.baseUrl}/me`, { headers: { authorization: `Bearer ${mock.keys.business}` } });
  const { code, lines } = await diagnose(mock.baseUrl, mock.keys.business);
  expect(code).toBe(6);
  expect(lines).toContainEqual(expect.stringMatching(/^fail {2}limit: .*call again in \d+ s\.$/));
});

test('S-03 an address that is not the service: exit code 3', async () => {
  const mock = await startMock();
  const { code, lines } = await diagnose(mock.baseUrl.replace('/api', '/shop/api'), mock.keys.business);
  expect(code).toBe(3);
  expect(lines).toContain(
    `fail  address: ${mock.baseUrl.replace('/api', '/shop/api')}: There is nothing at this address (404); check the base URL.`,
  );
  await mock.close();
  expect(await diagnose(mock.baseUrl, mock.keys.business)).toMatchObject({
    code: 3,
    lines: expect.arrayContaining([expect.stringMatching(/^fail {2}address: .*\(ECONNREFUSED\)/)]),
  });
});

test('a configuration that cannot work: exit code 2, and nothing is sent', async () => {
  const mock = await startMock();
  const { code, lines } = await diagnose(mock.baseUrl, 'canary key');
  expect(code).toBe(2);
  expect(lines).toEqual([expect.stringMatching(/^fail {2}configuration: The API key holds a space/)]);
  expect(lines.join()).not.toContain('canary');
  expect(mock.journal.total()).toBe(0);
});

test('U-59 U-62 what is odd but works is a warning: fields, clock, ledger', async () => {
  const mock = await startMock();
  mock.set({ dateHeader: 'on', nulls: ['me.name'] });
  mock.clock.freeze(Date.now() - 3_600_000);
  const { code, lines } = await diagnose(mock.baseUrl, mock.keys.business, {
    ORDER_LICENSE_LEDGER: `sqlite:${join(cliPath, 'ledger.sqlite')}`, // a file is no folder
  });
  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
    'warn  account: differs from the API text at name; the tools give it on as it is',
    'warn  clock: 60 min ahead of the service; set the clock of this machine',
    expect.stringMatching(
      /^warn {2}ledger: cannot be used \(.*\); requests are counted in memory, at most 15 per minute; check ORDER_LICENSE_LEDGER$/,
    ),
  ]);
});

test('S-43 S-87 the command prints the lines and ends with the code', async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, 'doctor'], { env: {}, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, '']);
  expect(stdout).toMatch(/^fail {2}configuration: ORDER_LICENSE_BASE_URL is not set/);
});
