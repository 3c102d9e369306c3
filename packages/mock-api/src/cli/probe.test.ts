import { expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';
import type { MockOptions } from '../mock-options.ts';
import { frozenAt, sleepOf } from '../probe/in-process.fixture.ts';
import { renderReport } from '../probe/render.ts';
import { numberText, parseExact, textOf } from '../settings/json.ts';
import { profileNames } from '../settings/profiles.ts';
import type { Json } from '../test-client.fixture.ts';
import { runProbe } from './probe.ts';
import { run } from './run.ts';

const apiKey = 'CANARY-api-key-9f31c7';
const baseUrl = 'https://shop.example/api/v1';

/** Runs the command against an in-process mock. `stopAfter` simulates Ctrl-C after this many responses. */
const start = async (
  args: string[],
  options: MockOptions = {},
  env: Record<string, string> = {},
  stopAfter?: number,
) => {
  const mock = createMock({ frozenAt, keys: { business: apiKey }, licenseKeyPrefix: 'CANARY-license-', ...options });
  let [out, err, sent] = ['', '', 0];
  let interrupt = () => {};
  const terminal = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    once: (_: string, listener: () => void) => {
      interrupt = listener;
    },
  };
  const fetch = async (url: string, init: RequestInit) => {
    if (++sent === stopAfter) interrupt();
    return mock.fetch(url, init);
  };
  const surroundings = { env: { ORDER_LICENSE_API_KEY: apiKey, ...env }, fetch, sleep: sleepOf(mock) };
  const code = await runProbe(args, terminal, surroundings);
  return { code, out, err, sent, mock };
};

test('--json prints the report to stdout and the list of requests to stderr', async () => {
  const { code, out, err } = await start(['--base-url', baseUrl, '--json'], { set: { money: 'number' } });
  expect(code).toBe(0);
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    set: { money: 'number' },
    readable: true,
    points: expect.arrayContaining([
      expect.objectContaining({
        id: 'U-22',
        setting: 'money',
        value: 'number',
        kit: expect.stringContaining('toMinorUnits'),
      }),
    ]),
  });
  expect(renderReport(report)).not.toContain('DO NOT HOLD');
  expect(err).toMatch(/^At most 28 requests, one per second/);
  expect(err.match(/^ *\d+ {2}\d{3} {2}/gm)).toHaveLength(report.requests);
});

test.each([
  [[], 28],
  [['--other-order', '4711'], 29],
  [['--with-malformed'], 43],
])('--dry-run with %j lists %i requests without a key and sends nothing', async (flags, count) => {
  const { code, out, sent } = await start(['--dry-run', ...flags], {}, { ORDER_LICENSE_API_KEY: '' });
  expect([code, sent]).toEqual([0, 0]);
  expect(out).toContain(`At most ${count} requests`);
});

test.each<[args: string[], sentence: RegExp, key?: string]>([
  [[], /--base-url is missing/],
  [['--base-url', 'shop'], /--base-url is not a valid URL/],
  [['--base-url', 'https://shop.example/'], /does not end in \/api\/v1/],
  [['--base-url', 'https://user:word@shop.example/api/v1'], /user name/],
  [['--base-url', 'http://shop.example/api/v1'], /in clear text\. Use https/],
  [['--base-url', 'http://mock/api/v1', '--allow-http-host', 'other'], /in clear text/],
  [['--base-url', 'http://mock/api/v1', '--allow-http-host', '*'], /--allow-http-host must contain names such as/],
  [['--base-url', baseUrl, '--other-order', 'x'], /--other-order is not an order ID/],
  [['--base-url', baseUrl, '--key', 'x'], /Unknown option '--key'/],
  [['--base-url', baseUrl, 'ORDER_LICENSE_API_KEY=CANARY'], /Unexpected argument\. Each/],
  [['--base-url', baseUrl], /is not set/, ' '],
  [['--base-url', baseUrl], /contains a space, a line break/, 'CANARY\u0000x'],
  [['--base-url', baseUrl], /contains a space, a line break/, 'CANARY\r\nx: y'],
])('%j exits with code 2 and a message, and sends nothing', async (args, sentence, key = apiKey) => {
  const { code, out, err, sent } = await start(args, {}, { ORDER_LICENSE_API_KEY: key });
  expect([code, out, sent]).toEqual([2, '', 0]);
  expect(err).toMatch(sentence);
  expect(err).not.toContain('CANARY');
});

test.each([
  [['--base-url', 'http://localhost:1/api/v1']],
  [['--base-url', 'http://[::1]:1/api/v1/']],
  [['--base-url', 'http://mock:1/api/v1', '--allow-http-host', 'other', '--allow-http-host', 'mock']],
])('accepts plain HTTP for loopback and allowed hosts: %j [S-04]', async (args) => {
  expect((await start(args, {}, {}, 1)).sent).toBe(1);
});

test('exits with code 1 and a report if no response is readable', async () => {
  const { code, out } = await start(['--base-url', baseUrl], {}, { ORDER_LICENSE_API_KEY: 'wrong' });
  expect(code).toBe(1);
  expect(out).toMatch(/Stopped early. GET \/me returned 401/);
});

test('lists violated statements first, and exits with code 3', async () => {
  const { code, out } = await start(['--base-url', baseUrl], { set: { sortDate: 'other' } });
  expect(code).toBe(3);
  expect(out).toMatch(/STATEMENT.*statements\.md\).*\n {2}S-45 {2}orders come newest first: another sequence/);
  expect(out).toMatch(/WITH THESE SETTINGS, RUN\n {2}order-license-mock --set sortDate=other\n$/);
});

test('Ctrl-C prints the partial report', async () => {
  const { code, out, sent } = await start(['--base-url', baseUrl, '--json'], {}, {}, 12);
  const report = JSON.parse(out);
  expect([code, sent, report.requests, report.stopped]).toEqual([0, 12, 11, 'The probe was interrupted.']);
  expect(report.points.map(({ setting }: { setting: string }) => setting)).toContain('tieBreak');
});

test.each([[['probe', '--help']], [['--help']]])('the help text of %j lists the probe flags', async (args) => {
  let out = '';
  const stdout = { write: (text: string) => (out += text) };
  expect(await run(args, { stdout, stderr: stdout, once: () => {} })).toBe(0);
  const flags = ['base-url', 'with-malformed', 'other-order', 'dry-run', 'allow-http-host', 'json'];
  for (const flag of flags) expect(out).toContain(`--${flag}`);
});

/** Returns all of the account's values that a report could contain. */
const privateTexts = async (mock: Mock): Promise<string[]> => {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    const number = numberText(value);
    if (typeof value === 'string' ? value.length > 4 : number !== undefined && number.length > 3)
      found.add(number ?? String(value));
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collect(one);
  };
  const read = async (path: string): Promise<Json> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
    const { data } = parseExact(await (await mock.fetch(`${baseUrl}${path}`, { headers })).text()) as Json;
    collect(data);
    return data;
  };
  await read('/me');
  const pages = await Promise.all([1, 2, 3].map((page) => read(`/orders?per_page=50&page=${page}`)));
  for (const { id } of pages.flatMap(({ orders }) => orders)) await read(`/orders/${textOf(id)}`);
  // Reports may contain status values, code types and API versions.
  const shown = /^(\p{Ll}+(_\p{Ll}+)*|0000-00-00 00:00:00|[a-z]{3,8})$/u;
  return [...found].filter((text) => !shown.test(text));
};

test.each(profileNames)('with the profile %s, no output contains a key or order data [S-70]', async (profile) => {
  const args = ['--base-url', baseUrl, '--with-malformed', '--json'];
  const { code, out: json, err, mock } = await start(args, { profile });
  const out = json + renderReport(JSON.parse(json));
  expect([0, 3]).toContain(code);
  mock.set({ limit: 'off' });
  const texts = await privateTexts(mock);
  expect(texts.length).toBeGreaterThan(500);
  expect([apiKey, 'CANARY', ...texts].filter((text) => (out + err).includes(text))).toEqual([]);
});
