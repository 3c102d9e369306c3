import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { faultKinds } from '../faults/fault.ts';
import { listenReaders } from '../server/listen-options.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { flagHelp, helpText, readCommandLine } from './flags.ts';
import { flagsIn } from './help-flags.ts';
import { run } from './run.ts';

const flagNames = Object.keys(flagsIn(flagHelp));

/** Runs the command in this process, and waits until it listens or ends. `stop` simulates Ctrl-C and returns the exit code. */
const start = async (...args: string[]) => {
  let out = '';
  let err = '';
  let interrupt = () => {};
  let listens = () => {};
  const listening = new Promise<void>((resolve) => {
    listens = resolve;
  });
  const code = run(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    once(signal, listener) {
      if (signal === 'SIGINT') interrupt = listener;
      listens();
    },
  });
  await Promise.race([code, listening]);
  const stop = (): Promise<number> => {
    interrupt();
    return code;
  };
  return { code, stop, out: () => out, err: () => err, json: () => JSON.parse(out) };
};

test('--json prints exactly one line with URLs and keys [S-65]', async () => {
  const command = await start('--json', '--orders', '5', '--seed', '7');
  expect(command.out()).toMatch(/^[^\n]+\n$/);
  const { baseUrl, controlUrl, keys } = command.json();
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  expect(controlUrl).toBe(baseUrl.replace('/api/v1', '/__mock'));
  expect(Object.keys(keys)).toEqual(
    expect.arrayContaining(['business', 'businessSecond', 'otherAccount', 'private', 'revoked']),
  );
  const response = await fetch(`${baseUrl}/orders`, { headers: { authorization: `Bearer ${keys.business}` } });
  expect(await response.json()).toMatchObject({ data: { pagination: { total: 5 } } });
  expect(await command.stop()).toBe(0);
});

test('--verbose prints each request without its key [S-70]', async () => {
  const command = await start('--json', '--verbose', '--empty', '--set', 'emptyPages=1', '--latency', '1');
  const { baseUrl, keys } = command.json();
  const headers = { authorization: `Bearer ${keys.business}`, accept: 'application/json' };
  const list = await fetch(`${baseUrl}/orders?per_page=50`, { headers });
  expect(await list.json()).toMatchObject({ data: { orders: [], pagination: { pages: 1 } } });
  await fetch(`${baseUrl}/me?api_key=${keys.business}`, { headers });
  expect(await command.stop()).toBe(0);
  expect(command.err()).toBe(
    '200 GET /api/v1/orders?per_page=50  business\n200 GET /api/v1/me?api_key=***  business  S-40: /me has a query\n',
  );
});

test.each(['--json', '--verbose'])('with `--control off %s`, no control URL is printed [S-65]', async (flag) => {
  const command = await start('--control', 'off', flag);
  expect(command.out()).toContain('/api/v1');
  expect(command.out()).not.toMatch(/__mock|undefined/);
  expect(await command.stop()).toBe(0);
});

test('--help lists every flag on one screen, and `--help settings` lists every setting and fault [U-01]', async () => {
  const [command, settings] = [await start('--help'), await start('--help', 'settings')];
  expect([await command.code, await settings.code]).toEqual([0, 0]);
  const flags = command.out();
  for (const flag of flagNames) expect(flags).toMatch(new RegExp(`--${flag}\\b`));
  expect(flags.split('\n').length).toBeLessThanOrEqual(48);
  for (const line of flags.split('\n')) expect(line.length, line).toBeLessThanOrEqual(110);
  const help = settings.out();
  for (const name of [...Object.keys(settingDefinitions), ...Object.keys(faultKinds)])
    expect(help).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
});

test('the example in --help is a valid command', () => {
  const [, example = ''] = /For example:\n {2}order-license-mock (.+)\n/.exec(helpText()) ?? [];
  expect(readCommandLine(example.split(' ')).listen).toMatchObject({ port: 8080, limit: 'off' });
});

test('every option of listen() has a flag, and all other flags belong to the command itself', () => {
  const others = ['empty', 'help', 'json', 'verbose', 'version'];
  const values: Record<string, string> = { control: 'on', key: 'business=b', set: 'a=b' };
  const given = flagNames
    .filter((flag) => !others.includes(flag) && flag !== 'orders')
    .flatMap((flag) => {
      const isSwitch = flagsIn(flagHelp)[flag]?.type === 'boolean';
      return isSwitch ? [`--${flag}`] : [`--${flag}`, values[flag] ?? '1'];
    });
  const { listen } = readCommandLine(given);
  expect([...Object.keys(listen), 'orders'].sort()).toEqual(Object.keys(listenReaders).sort());
  expect(readCommandLine(others.map((flag) => `--${flag}`)).listen).toEqual({ orders: 0 });
});

test('flags are converted to the options of listen() [U-35]', () => {
  const given =
    '--host ::1 --allow-host mock --allow-host b.example --key business=abc --key private=d=e --license-key-prefix X- ' +
    '--journal-size 5 --relative-dates --limit off --window minute --window-ms 1000 --set money=number --set dates=iso ' +
    '--control off --tls-cert c --tls-key k';
  expect(readCommandLine([...given.split(' '), '--frozen-at', '2026-03-31 14:05:00']).listen).toEqual({
    ...{ host: '::1', allowHosts: ['mock', 'b.example'], control: false, tlsCert: 'c', tlsKey: 'k' },
    ...{ keys: { business: 'abc', private: 'd=e' }, licenseKeyPrefix: 'X-', journalSize: 5, relativeDates: true },
    ...{ limit: 'off', window: 'minute', windowMs: '1000', set: { money: 'number', dates: 'iso' } },
    frozenAt: '2026-03-31 14:05:00',
  });
  expect(readCommandLine(['--frozen-at', '1000', '--empty']).listen).toEqual({ frozenAt: 1000, orders: 0 });
});

/** Writes orders to a file, which exists until the test ends. @returns its path */
const orderFile = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mock-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'orders.json');
  writeFileSync(path, text);
  return path;
};

test('serves the orders of a file', async () => {
  const path = orderFile('{"id": 7, "bestellnummer": "SH-7"}');
  const command = await start('--json', '--key', 'business=own', '--orders-file', path);
  const response = await fetch(`${command.json().baseUrl}/orders/7`, { headers: { authorization: 'Bearer own' } });
  expect(await response.json()).toMatchObject({ data: { bestellnummer: 'SH-7' } });
  expect(await command.stop()).toBe(0);
});

test('exits with code 2 if an order in a file has a misspelled field', async () => {
  const command = await start('--orders-file', orderFile('{"id": 7, "staus": "bezahlt"}'));
  expect(await command.code).toBe(2);
  expect(command.err()).toMatch(/orders\.json: "staus" is one letter away from "status"; correct the spelling/);
});

test('listening beyond loopback prints a warning to stderr', async () => {
  const command = await start('--host', '0.0.0.0', '--json', '--key', 'business=my-own-key');
  const { baseUrl, controlUrl } = command.json();
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
  expect(command.err()).toBe(
    'WARNING: The mock listens on 0.0.0.0. Anyone who can reach this machine can read and control the mock without a password.\n',
  );
  expect((await fetch(`${baseUrl}/me`, { headers: { authorization: 'Bearer my-own-key' } })).status).toBe(200);
  expect(await (await fetch(`${controlUrl}/health`)).json()).toEqual({ status: 'ok', version: packageJson.version });
  expect(await command.stop()).toBe(0);
});

test('--version prints the version of the package', async () => {
  const command = await start('--version');
  expect([await command.code, command.out()]).toEqual([0, `${packageJson.version}\n`]);
});

test.each<[args: string, sentence: RegExp]>([
  ['--port x', /port must be a whole number from 0 to 65535, not "x"/],
  ['--seed -1', /--seed/],
  ['--profile odd', /there is no profile "odd"/],
  ['--set money', /--set needs name=value, not "money"/],
  ['--set colour=red', /there is no setting "colour"/],
  ['--latency slow', /latency must be a number such as 1000, or a range such as 50..300/],
  ['--control maybe', /--control must be on or off/],
  ['--empty --orders 3', /--empty and --orders can't be combined/],
  ['--limit 5 --set limit=7', /limit is given twice/],
  ['--key secret', /--key needs name=value, with one of the names business, .*, inactive\n/],
  ['--key boss=secret', /--key needs name=value, with one of the names business, /],
  ['--key c2VjcmV0==', /--key needs name=value, with one of the names business, [\w, ]+\nTry --help\.\n$/],
  ['--key secret=aZ81', /--key needs name=value, with one of the names business, [\w, ]+\nTry --help\.\n$/],
  ['--frozen-at yesterday', /frozenAt must be a time in ms since 1970, .*, or a UTC time such as/],
  ['--journal-size 0', /journalSize must be a whole number from 1/],
  ['--host http://0.0.0.0', /host must be one address to listen on/],
  ['--host 192.0.2.7', /host "192.0.2.7" is not an address of this machine/],
  ['--allow-host mock:8080', /allowHosts must contain names such as mock.example/],
  ['--tls-cert cert.pem', /tlsCert and tlsKey belong together/],
  ['--colour', /Unknown option '--colour'/],
  ['file.json', /Unexpected argument\. Each/],
  ['--key business= secret', /Unexpected argument\. Each.*\n/],
])('%s exits with code 2 and a message that contains no key [S-65 U-01]', async (args, sentence) => {
  const command = await start(...args.split(' '));
  expect([await command.code, command.out()]).toEqual([2, '']);
  expect(command.err()).toMatch(sentence);
  expect(command.err()).not.toMatch(/secret|c2VjcmV0|aZ81/);
});

test('exits with code 2 and a message if the port is in use [U-01]', async () => {
  const first = await start('--json');
  const second = await start('--port', new URL(first.json().baseUrl).port);
  expect(await second.code).toBe(2);
  expect(second.err()).toMatch(/port \d+ is already in use; choose a different port/);
  await first.stop();
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'exits with code 0 after %s, even with open requests [S-71]',
  async (signal) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('cli.ts', import.meta.url)), '--limit', 'off']);
    let out = '';
    child.stdout.on('data', (part) => {
      out += part;
    });
    while (!out.includes('Ctrl-C')) await once(child.stdout, 'data');
    const [, baseUrl, variables, curl] = /at (http\S+).*\n(export [^\n]*)\n(curl [^\n]*)\n/s.exec(out) ?? [];
    expect(variables).toMatch(`ORDER_LICENSE_BASE_URL=${baseUrl} ORDER_LICENSE_API_KEY=`);
    expect(curl).toContain(`${baseUrl}/orders`);
    const hanging = fetch(`${baseUrl}/me`, { headers: { 'x-mock-fault': 'hang' } }).catch(() => 'closed');
    await fetch(`${baseUrl}/me`);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect([code, await hanging]).toEqual([0, 'closed']);
  },
);

test.each(['is not read', 'is closed'])('serves, and ends, while its log %s', async (how) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('cli.ts', import.meta.url)), '--json', '--verbose']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const { baseUrl } = JSON.parse(line);
  if (how === 'is closed') child.stderr.destroy();
  const path = 'x'.repeat(4_000);
  for (let i = 0; i < 200; i++) expect((await fetch(`${baseUrl}/${path}`)).status).toBe(401);
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
