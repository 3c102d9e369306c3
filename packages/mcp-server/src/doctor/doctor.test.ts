import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MockServer } from '@order-license/mock-api';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { shortHash } from '../log/access-log.ts';
import { publicUrl, startIssuer, writeSignInFile } from '../testing/issuer.fixture.ts';
import { cliPath, startMock } from '../testing/mcp-session.fixture.ts';
import { startPlainServer } from '../testing/plain-server.fixture.ts';
import { runDoctor } from './doctor.ts';
import { formatFinding } from './findings.ts';

interface Options {
  /** The name of one of the mock's keys, or another key. */
  key?: string;
  env?: Record<string, string>;
  args?: string[];
  /** Settings of the mock. */
  set?: Parameters<MockServer['set']>[0];
  /** Changes the mock, or returns an address to use instead of the mock's. */
  prepare?(mock: MockServer): unknown;
}

/** Runs `doctor` with these arguments, such as `http`, against a mock of the API. */
const diagnose = async ({ key = 'business', env = {}, args = [], set = {}, prepare }: Options = {}) => {
  const { mock } = await startMock();
  mock.set(set);
  const address = await prepare?.(mock);
  const account = {
    ORDER_LICENSE_BASE_URL: typeof address === 'string' ? address : mock.baseUrl,
    ORDER_LICENSE_API_KEY: mock.keys[key as 'business'] ?? key,
  };
  const lines: string[] = [];
  const all = { ...account, ORDER_LICENSE_STORE: 'memory', ...env };
  const code = await runDoctor(args, all, (finding) => lines.push(formatFinding(finding)));
  return { code, lines, mock };
};
const http = (...flags: string[]) => ['http', '--port', '0', ...flags];

/** Adds a Date header with the mock's time to every response. */
const sendDate = ({ faults, clock }: MockServer): void =>
  faults.add({ response: { headers: { date: new Date(clock.now()).toUTCString() } }, times: 'always' });

test('for a healthy installation, sends one GET /me, prints one line per check and exits with 0 [S-43]', async () => {
  const { code, lines, mock } = await diagnose({ prepare: sendDate });
  expect({ code, lines }).toEqual({
    code: 0,
    lines: [
      'ok    configuration: license keys shown, personal data shown, no access log, at most 60 requests per minute',
      `ok    address: ${mock.baseUrl}`,
      'ok    API key: accepted',
      'ok    account: Müller & Söhne GmbH, DE123456789; API version 1.0',
      "ok    clock: within a minute of the API's clock",
      'ok    store: memory, for this process only',
    ],
  });
  expect(mock.journal.entries()).toMatchObject([{ method: 'GET', path: '/api/v1/me', query: '', violations: [] }]);
});

test('creates and removes a file in the export folder', async () => {
  const folder = temporaryFolder();
  const { code, lines } = await diagnose({ env: { ORDER_LICENSE_EXPORT_FOLDER: folder } });
  expect([code, lines.at(-1)]).toEqual([0, 'ok    export: files can be written to the export folder']);
  expect(readdirSync(folder)).toEqual([]);
});

// Nobody can create a file in this folder, not even root, which other permissions don't stop.
test.runIf(process.platform === 'linux')('exits with 1 if no file can be written to the export folder', async () => {
  const { code, lines } = await diagnose({ env: { ORDER_LICENSE_EXPORT_FOLDER: '/proc' } });
  const line =
    /^fail {2}export: The file could not be written to the export folder \(E\w+\)\. Check the folder in ORDER/;
  expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(line)]);
});

// An address of this machine that the server does not recognize as local. Windows cannot connect to it.
test.skipIf(process.platform === 'win32')('warns about plain HTTP to an allowed host [S-04]', async () => {
  const prepare = ({ baseUrl }: MockServer) => baseUrl.replace('127.0.0.1', '0.0.0.0');
  expect((await diagnose({ prepare })).code).toBe(1);
  const { code, lines } = await diagnose({ prepare, env: { ORDER_LICENSE_ALLOW_HTTP_HOSTS: '0.0.0.0' } });
  expect(code).toBe(0);
  expect(lines).toContain('warn  address: API keys and responses travel unencrypted between this machine and 0.0.0.0');
});

test.each<[string, string, RegExp]>([
  ['the key is rejected [S-43 S-68]', 'revoked', /^fail {2}API key: The API rejected the API key \(401\)/],
  ['the account is private [S-43 S-67 S-74]', 'private', /^fail {2}account: .*\(403\)\. Enter a company or a VAT ID/],
])('exits with 1 if %s, and quotes the API unless license keys are masked [S-29 S-90]', async (_, key, line) => {
  const { code, lines, mock } = await diagnose({ key, set: { errorText: 'canary' } });
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(line));
  expect(lines.includes('ok    API key: accepted')).toBe(key === 'private');
  expect(lines).toContain('warn  API: says "canary"');
  expect(mock.journal.total()).toBe(1);
  const env = { ORDER_LICENSE_LICENSE_KEYS: 'masked' };
  expect((await diagnose({ key, env, set: { errorText: 'canary' } })).lines.join('\n')).not.toContain('canary');
});

test('exits with 1 if the proxy is unusable, and reports a problem with the address, not the API [S-43]', async () => {
  vi.stubEnv('HTTPS_PROXY', 'proxy.example:3128');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, lines } = await diagnose({ prepare: () => 'https://shop.example/api/v1' });
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^fail {2}address: https:\S+ HTTPS_PROXY is not/));
  expect(lines.join()).not.toMatch(/ok {4}address/);
});

/** An API that always returns this response. */
const serveAlways = async (status: number, type: string, body: string): Promise<string> => {
  const origin = await startPlainServer((_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body),
  );
  return `${origin}/api/v1`;
};

test.each([401, 403])("reports a firewall's %i as a network failure, not a wrong key [U-43]", async (status) => {
  const baseUrl = await serveAlways(status, 'text/html', '<h1>Forbidden</h1>');
  const { code, lines } = await diagnose({ key: 'some-key', prepare: () => baseUrl });
  expect(code).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^fail {2}address: .*text\/html, 18 bytes.*firewall/));
  expect(lines.join('\n')).not.toMatch(/API key|account/);
});

test("prints the account's name on one line, without terminal control characters [S-90]", async () => {
  const company = `Canary\r\nok    API key: accepted\u2028\u0085\u202e\u001b[31m${'x'.repeat(5_000)}`;
  const data = { user_id: 1, company, vat_id: 'DE1\nfail  store: forged', api_version: '1.0\n' };
  const baseUrl = await serveAlways(200, 'application/json', JSON.stringify({ status: 200, data }));
  const { lines } = await diagnose({ key: 'some-key', prepare: () => baseUrl });
  const [account] = lines.filter((line) => line.includes('Canary'));
  expect(account).toMatch(/^ok {4}account: Canary ok {4}API key: accepted \[31mx+, DE1 fail {2}store: forged; API v/);
  expect(account?.length).toBeLessThan(300);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});

test("says what is masked and logged, and masks the account's data as the tools do", async () => {
  const env = { ORDER_LICENSE_PERSONAL_DATA: 'masked', ORDER_LICENSE_ACCESS_LOG: 'stderr' };
  const { lines, mock } = await diagnose({ env, set: { nulls: ['me.name'] } });
  expect(lines[0]).toMatch(/: license keys shown, personal data masked, access log on stderr, /);
  expect(lines).toContain(`ok    API key: accepted; the access log shows it as ${shortHash(mock.keys.business)}`);
  expect(lines).toContain('warn  account: differs from the API docs at name; the tools mask these fields');
});

const notFound = 'The API was not found at this address \\(404\\)\\. Check the base URL\\.$';
test.each<[string, Options, RegExp]>([
  [
    'the rate limit has been reached [S-84]',
    {
      set: { limit: 1 },
      prepare: async ({ baseUrl, keys }) => {
        await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${keys.business}` } });
      },
    },
    /^fail {2}limit: .*Call again in \d+ s\.$/,
  ],
  [
    'the address does not belong to the API [S-03]',
    { prepare: ({ baseUrl }) => baseUrl.replace('/api', '/shop/api') },
    new RegExp(`^fail  address: http:\\S+/shop/api/v1: ${notFound}`),
  ],
  [
    'nothing listens at the address [S-03]',
    { prepare: (mock) => mock.close() },
    /^fail {2}address: .*\(ECONNREFUSED\)/,
  ],
])('exits with 1 if %s', async (_, options, line) => {
  const { code, lines } = await diagnose(options);
  expect([code, lines]).toEqual([1, expect.arrayContaining([expect.stringMatching(line)])]);
});

test.each<[string, string[], RegExp]>([
  ['canary key', [], /^fail {2}configuration: ORDER_LICENSE_API_KEY: The API key contains a space/],
  ['business', ['http', '--host', '0.0.0.0'], /^fail {2}configuration: --host lets other machines in/],
  [
    'business',
    ['https'],
    /^fail {2}configuration: `doctor` accepts only `http` and its flags as arguments\. See --help/,
  ],
])('exits with 1 for an invalid configuration (key %s, arguments %j), and sends nothing', async (key, args, line) => {
  const { code, lines, mock } = await diagnose({ key, args });
  expect([code, lines]).toEqual([1, [expect.stringMatching(line)]]);
  expect(lines.join()).not.toContain('canary');
  expect(mock.journal.total()).toBe(0);
});

test('warns about unusual fields and an incorrect clock, and fails for an unusable store [U-59 U-62]', async () => {
  const { code, lines } = await diagnose({
    env: { ORDER_LICENSE_STORE: `sqlite:${join(cliPath, 'store.sqlite')}` }, // cliPath is a file and not a folder
    set: { nulls: ['me.name'] },
    prepare(mock) {
      mock.clock.freeze(Date.now() - 3_600_000);
      sendDate(mock);
    },
  });
  expect(code).toBe(1);
  expect(lines.filter((line) => /^(warn|fail)/.test(line))).toEqual([
    'warn  account: differs from the API docs at name; the tools return these fields unchanged',
    "warn  clock: 60 min ahead of the API's clock; correct this machine's clock",
    expect.stringMatching(
      /^fail {2}store: cannot be used \(.*\); the server counts requests in memory instead and sends at most 15 per minute; check ORDER_LICENSE_STORE$/,
    ),
  ]);
});

/**
 * Runs `doctor http` with a sign-in file and returns the findings. The subjects bob and dora have the second account's
 * key, and eva has the server's own.
 */
const diagnoseSignIn = async (change: (file: Record<string, unknown>, mock: MockServer) => unknown = () => ({})) => {
  const issuer = await startIssuer();
  const env: Record<string, string> = {};
  const prepare = (mock: MockServer): void => {
    const key = mock.keys.otherAccount;
    const file = {
      publicUrl,
      issuer: issuer.url,
      subjects: { alice: true, bob: key, dora: key, eva: mock.keys.business },
    };
    const changed = change(file, mock);
    env.ORDER_LICENSE_OAUTH = writeSignInFile(
      typeof changed === 'string' ? changed : { ...file, ...(changed as object) },
    );
  };
  return { ...(await diagnose({ env, args: http(), prepare })), issuer };
};

test('doctor http checks the sign-in file, the issuer and each API key once', async () => {
  const { code, lines, issuer, mock } = await diagnoseSignIn();
  expect({ code, lines }).toEqual({
    code: 0,
    lines: [
      expect.stringMatching(/^ok {4}configuration: /),
      "ok    callers: people who sign in can use the server; requests use the server's API key",
      'ok    port: 0 on 127.0.0.1 can be used',
      'ok    sign-in: subjects: 4; people connect to https://mcp.example.com/mcp',
      `ok    sign-in: the issuer ${issuer.url} publishes its metadata and keys`,
      `ok    address: ${mock.baseUrl}`,
      'ok    API key: accepted',
      'ok    account: Müller & Söhne GmbH, DE123456789; API version 1.0',
      'ok    API key: for "bob", "dora": accepted',
      expect.stringMatching(/^ok {4}account: for "bob", "dora": .*; API version 1\.0$/),
      'ok    clock: not compared, because the API sent no date',
      'ok    store: memory, for this process only',
    ],
  });
  expect(mock.journal.entries().map(({ key }) => key)).toEqual(['business', 'otherAccount']);
});

test.each<[string, (file: Record<string, unknown>, mock: MockServer) => unknown, RegExp]>([
  ['is not JSON', () => '{nonsense', /^fail {2}sign-in: The file named in ORDER_LICENSE_OAUTH is not JSON/],
  [
    'names an unreachable issuer',
    () => ({ issuer: 'http://127.0.0.1:1' }),
    /^fail {2}sign-in: The issuer set in the ORDER_LICENSE_OAUTH file cannot be used \(http:.*ECONNREFUSED/,
  ],
  [
    'names the issuer with an extra slash',
    (file) => ({ issuer: `${file.issuer}/` }),
    /^fail {2}sign-in: The issuer .* the document names a different issuer: "http/,
  ],
  [
    'has a revoked key',
    (_file, mock) => ({ subjects: { alice: true, bob: mock.keys.revoked } }),
    /^fail {2}API key: for "bob": The API rejected the API key \(401\)/,
  ],
])('doctor http fails when the sign-in file %s', async (_name, change, line) => {
  const found = await diagnoseSignIn(change);
  expect(found).toMatchObject({ code: 1, lines: expect.arrayContaining([expect.stringMatching(line)]) });
  expect(found.lines).toContain('ok    API key: accepted'); // this line is about the server's own key
});

test('doctor http works without a server API key', async () => {
  const env = { ORDER_LICENSE_ACCESS_TOKEN: 'a-token-of-this-server', ORDER_LICENSE_ACCESS_LOG: 'stderr' };
  const { code, lines, mock } = await diagnose({ key: '', env, args: http('--allow-host', 'mcp.example.com') });
  expect([code, ...lines.slice(1)]).toEqual([
    0,
    "ok    callers: holders of the access token (shown as 75c72d82 in the access log) can use the server; requests use the callers' API keys",
    'ok    port: 0 on 127.0.0.1 can be used',
    'warn  address: not checked, because callers send the API keys; to check the address, set ORDER_LICENSE_API_KEY',
    'ok    store: memory, for this process only',
  ]);
  expect(mock.journal.total()).toBe(0);
});

test('doctor without http says that it does not check the variables that only http uses', async () => {
  const { code, lines } = await diagnose({ env: { ORDER_LICENSE_OAUTH: '/nowhere.json' } });
  const line =
    'warn  configuration: ORDER_LICENSE_OAUTH is not checked; to check it, run order-license-mcp doctor http';
  expect([code, lines]).toEqual([0, expect.arrayContaining([line])]);
});

test('prints the findings, and exits with 1 if a check failed [S-43 S-87]', async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, 'doctor'], { env: {}, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(/^fail {2}configuration: ORDER_LICENSE_BASE_URL is not set/);
});

const ORDER_LICENSE_ACCESS_TOKEN = 'a-token-of-this-server';
test.each<[string, string[] | undefined, number, RegExp]>([
  ['warns of a port in use', undefined, 0, /^warn {2}port: .*EADDRINUSE/],
  [
    'fails for an address of another machine',
    http('--host', '192.0.2.1'),
    1,
    /^fail {2}port: 0 on 192\.0\.2\.1 cannot be used \(EADDRNOTAVAIL\); change --port or --host$/,
  ],
])('doctor http %s', async (_, flags, status, line) => {
  const args = flags ?? ['http', '--port'];
  const prepare = ({ baseUrl }: MockServer): void => {
    if (!flags) args.push(new URL(baseUrl).port);
  };
  const { code, lines } = await diagnose({ env: { ORDER_LICENSE_ACCESS_TOKEN }, args, prepare });
  expect([code, lines]).toEqual([status, expect.arrayContaining([expect.stringMatching(line)])]);
});

test('doctor http opens the store even if callers send the API keys, and fails if it cannot be used', async () => {
  const env = { ORDER_LICENSE_ACCESS_TOKEN, ORDER_LICENSE_STORE: 'redis://127.0.0.1:1' };
  const { code, lines } = await diagnose({ key: '', env, args: http() });
  const line = expect.stringMatching(/^fail {2}store: cannot be used \(Redis: ECONNREFUSED\)/);
  expect([code, lines.at(-1)]).toEqual([1, line]);
});
