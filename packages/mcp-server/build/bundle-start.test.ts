import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliPath } from '../src/testing/mcp-session.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
beforeAll(() => {
  cpSync(dirname(cliPath), folder, { recursive: true });
  cpSync(fileURLToPath(new URL('bundle-start.js', import.meta.url)), join(folder, 'start.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the server as the bundle does, with these checkbox values. */
const start = (licenseKeys: string, personalData = 'false') => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } };
  return spawnSync(process.execPath, [join(folder, 'start.js')], {
    env: {
      ORDER_LICENSE_BASE_URL: 'https://shop.example/api/v1',
      ORDER_LICENSE_API_KEY: 'unused',
      ORDER_LICENSE_LICENSE_KEYS: licenseKeys,
      ORDER_LICENSE_PERSONAL_DATA: personalData,
    },
    input: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    encoding: 'utf8',
  });
};

test.each([
  ['true', 'false', true, false],
  ['True', 'false', true, false],
  ['false', 'true', false, true],
  ['false', 'false', false, false],
])('the checkboxes %s and %s hide license keys: %j, personal data: %j', (keys, data, hidesKeys, hidesData) => {
  const { stdout, status } = start(keys, data);
  expect(stdout.includes('License keys are masked by configuration')).toBe(hidesKeys);
  expect(stdout.includes('Personal data is masked by configuration')).toBe(hidesData);
  expect(status).toBe(0);
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: a client that did not fill in its template
test.each(['', 'yes', 'toString', '${user_config.hide_license_keys}'])('rejects the checkbox value %o', (box) => {
  const { stdout, stderr, status } = start(box);
  expect(stderr).toMatch(
    /^order-license-mcp: ORDER_LICENSE_LICENSE_KEYS (is empty|holds a placeholder|must be `full`, `masked` or `app`)/,
  );
  expect([JSON.parse(stdout).error.message, status]).toEqual([expect.stringContaining('LICENSE_KEYS'), 2]);
});
