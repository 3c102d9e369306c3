import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isOrderLicenseError } from '@order-license/core/portable';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import { expect, test } from 'vitest';
import { cliPath } from '../testing/mcp-session.fixture.ts';
import { readConfig } from './config.ts';

const good = { ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1', ORDER_LICENSE_API_KEY: 'secret-canary-key' };

const rejection = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (isOrderLicenseError(error) && error.code === 'configuration') return error.message;
    throw error;
  }
  throw new Error('The configuration was accepted.');
};

test('needs only a base URL and an API key', () => {
  expect(readConfig(good)).toEqual({
    baseUrl: 'https://shop.example/api/v1',
    allowHttpHosts: [],
    apiKey: 'secret-canary-key',
    masking: { licenseKeys: false, personalData: false },
    orderCard: false,
    accessLog: false,
    requestsPerMinute: 60,
    store: { kind: 'sqlite', path: undefined },
  });
  const set = { ORDER_LICENSE_API_KEY: ' secret-canary-key\n', ORDER_LICENSE_REQUESTS_PER_MINUTE: '12' };
  expect(readConfig({ ...good, ...set })).toMatchObject({ apiKey: 'secret-canary-key', requestsPerMinute: 12 });
});

test.each(['', '/', '//'])('accepts a base URL with a path before /api/v1 and %j at its end [S-03]', (end) => {
  const address = { ORDER_LICENSE_BASE_URL: `https://shop.example/x/api/v1${end}` };
  expect(readConfig({ ...good, ...address }).baseUrl).toBe('https://shop.example/x/api/v1');
});

test('allows plain HTTP only to this machine and the hosts in ORDER_LICENSE_ALLOW_HTTP_HOSTS [S-04]', () => {
  const address = { ORDER_LICENSE_BASE_URL: 'http://mock:8080/api/v1' };
  const config = readConfig({ ...good, ...address, ORDER_LICENSE_ALLOW_HTTP_HOSTS: ' other, mock,' });
  expect(config).toMatchObject({ baseUrl: 'http://mock:8080/api/v1', allowHttpHosts: ['other', 'mock'] });
  expect(rejection({ ...good, ...address, ORDER_LICENSE_ALLOW_HTTP_HOSTS: 'other' })).toMatch(/Use https/);
  expect(readConfig({ ...good, ORDER_LICENSE_BASE_URL: 'http://127.0.0.1:8080/api/v1' })).toBeTruthy();
});

test.each([
  [{ ORDER_LICENSE_BASE_URL: '' }, /ORDER_LICENSE_BASE_URL is not set/],
  [{ ORDER_LICENSE_API_KEY: '' }, /^ORDER_LICENSE_API_KEY is not set\. .*set it in the client's configuration\.$/],
  [{ ORDER_LICENSE_API_KEY: '$KEY' }, /ORDER_LICENSE_API_KEY holds a placeholder .* environment/],
  [{ ORDER_LICENSE_API_KEY: 'YOUR-API-KEY' }, /^ORDER_LICENSE_API_KEY: This is the key .* configuration\. Replace it/],
  [{ ORDER_LICENSE_API_KEY: '"canary"' }, /^ORDER_LICENSE_API_KEY: The API key is in quotes\. Remove the quotes\.$/],
  [{ ORDER_LICENSE_API_KEY: 'secret canary' }, /API key contains a space/],
  [{ ORDER_LICENSE_API_KEY: '“secret-canary”' }, /character outside ASCII/],
  [{ ORDER_LICENSE_BASE_URL: 'shop.example/api/v1' }, /^ORDER_LICENSE_BASE_URL: .* is not a valid URL/],
  [{ ORDER_LICENSE_BASE_URL: 'https://shop.example' }, /^ORDER_LICENSE_BASE_URL: .* does not end in \/api\/v1/],
  [{ ORDER_LICENSE_BASE_URL: 'https://u:secret-canary@shop.example/api/v1' }, /user name/],
  [{ ORDER_LICENSE_BASE_URL: 'http://mock:8080/api/v1' }, /uses http.*Use https/],
  [
    { ORDER_LICENSE_ALLOW_HTTP_HOSTS: 'mock:8080' },
    /^ORDER_LICENSE_ALLOW_HTTP_HOSTS: .*plain HTTP contains an invalid host name/,
  ],
  [{ ORDER_LICENSE_LICENSE_KEYS: 'hidden' }, /must be `full`, `masked` or `app`/],
  [{ ORDER_LICENSE_PERSONAL_DATA: 'app' }, /ORDER_LICENSE_PERSONAL_DATA must be `full` or `masked`/],
  [{ ORDER_LICENSE_ACCESS_LOG: 'on' }, /ORDER_LICENSE_ACCESS_LOG must be `off` or `stderr`/],
  [{ ORDER_LICENSE_REQUESTS_PER_MINUTE: '61' }, /from 1 to 60/],
  [{ ORDER_LICENSE_REQUESTS_PER_MINUTE: '1e1' }, /from 1 to 60/],
  [{ ORDER_LICENSE_EXPORT_FOLDER: 'exports' }, /EXPORT_FOLDER must be the absolute path of an existing folder/],
  [{ ORDER_LICENSE_EXPORT_FOLDER: '/nowhere/canary' }, /EXPORT_FOLDER must be the absolute path of an existing folder/],
  [{ order_license_key: 'masked' }, /order_license_key is not a setting\. .*ORDER_LICENSE_LICENSE_KEYS/],
  [{ ORDER_LICENSE_SERVICE_HOSTS: 'x' }, /ORDER_LICENSE_SERVICE_HOSTS is not a setting/],
  [{ ORDER_LICENSE_PORT_NUMBER: '1' }, /ORDER_LICENSE_PORT_NUMBER is not a setting/],
])('names an invalid setting without printing a key: %o', (wrong, sentence) => {
  const message = rejection({ ...good, ...wrong });
  expect(message).toMatch(sentence);
  expect(message).not.toContain('canary');
});

const optional = ['LICENSE_KEYS', 'PERSONAL_DATA', 'ACCESS_LOG', 'REQUESTS_PER_MINUTE', 'STORE'];
test.each(optional)('does not use the default of ORDER_LICENSE_%s for an empty value or a placeholder', (name) => {
  const reject = (value: string) => rejection({ ...good, [`ORDER_LICENSE_${name}`]: value });
  for (const value of ['', ' ']) {
    expect(reject(value)).toBe(`ORDER_LICENSE_${name} is empty. Set a value, or remove the variable.`);
  }
  for (const value of ['{{ X }}', `$ORDER_LICENSE_${name}`, `%ORDER_LICENSE_${name}%`]) {
    expect(reject(value)).toMatch(`ORDER_LICENSE_${name} holds a placeholder that was not replaced.`);
  }
});

const services = ['ORDER_LICENSE', 'ORDER_LICENSE_MCP', 'ORDER_LICENSE_KIT_2'];
test.each(services)('ignores variables that Kubernetes sets for a Service with the prefix %s', (service) => {
  const names = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT'];
  const ofPort = ['', '_PROTO', '_PORT', '_ADDR'].map((end) => `PORT_3000_TCP${end}`);
  const env = Object.fromEntries([...names, ...ofPort].map((name) => [`${service}_${name}`, 'set']));
  expect(readConfig({ ...good, ...env })).toEqual(readConfig(good));
});

test("returns a configuration error in response to a client's first requests and on stderr, then exits with 2", () => {
  const clientInfo = { name: 'test', version: '1.0.0' };
  const requests = [
    { method: 'notifications/early' },
    { id: 0, method: 'server/discover' },
    { id: 'a', method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { id: 2, method: 'tools/list' },
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath], {
    env: { ...good, ORDER_LICENSE_API_KEY: 'secret\ncanary' },
    encoding: 'utf8',
    input: `no JSON\n${requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('')}`,
  });
  const message = expect.stringMatching(/^ORDER_LICENSE_API_KEY: The API key contains a space, a line break/);
  const answers = stdout.trim().split('\n');
  expect(answers.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The line is not JSON; send one message per line.' } },
    { jsonrpc: '2.0', id: 0, error: { code: -32_603, message } },
    { jsonrpc: '2.0', id: 'a', error: { code: -32_603, message } },
  ]);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^order-license-mcp: ORDER_LICENSE_API_KEY: The A[^\n]*\n$/),
  ]);
  expect(stdout + stderr).not.toContain('canary');
});

test.each(['ORDER_LICENSE_OAUTH', 'ORDER_LICENSE_METRICS'])('over stdio, reports that %s has no effect', (name) => {
  const env = { ...good, [name]: '9464' };
  const { stderr } = spawnSync(process.execPath, [cliPath], { env, encoding: 'utf8', input: '' });
  expect(stderr).toBe(`order-license-mcp: ${name} has no effect over stdio.\n`);
});

test('does not repeat a key passed as an argument', () => {
  const { status, stderr } = spawnSync(process.execPath, [cliPath, 'secret-canary'], { env: good, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toBe('order-license-mcp: Unknown command or option; see --help.\n');
});

test('rejects a folder for exports whose path cannot be resolved', () => {
  const loop = join(temporaryFolder(), 'loop');
  symlinkSync(loop, loop);
  expect(rejection({ ...good, ORDER_LICENSE_EXPORT_FOLDER: loop })).toMatch(/must be .* an existing folder/);
});
