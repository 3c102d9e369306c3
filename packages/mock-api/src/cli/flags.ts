import { parseArgs } from 'node:util';
import { samplePlaces } from '../data/samples.ts';
import { faultKinds } from '../faults/fault.ts';
import type { ListenOptions } from '../server/listen.ts';
import type { Setting } from '../settings/kinds.ts';
import { profileNames } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';

const flags = {
  port: { type: 'string' },
  tls: { type: 'boolean' },
  control: { type: 'string' },
  json: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v' },
  orders: { type: 'string' },
  empty: { type: 'boolean' },
  seed: { type: 'string' },
  'relative-dates': { type: 'boolean' },
  latency: { type: 'string' },
  limit: { type: 'string' },
  window: { type: 'string' },
  'window-ms': { type: 'string' },
  profile: { type: 'string' },
  set: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** What the command line asks for. */
export interface CommandOptions {
  help: boolean;
  version: boolean;
  json: boolean;
  verbose: boolean;
  listen: ListenOptions;
}

/**
 * Reads the command line.
 * @throws Error with a sentence about the flag that is wrong
 */
export const readCommandLine = (args: string[]): CommandOptions => {
  const { values } = parseArgs({ args, options: flags, strict: true, allowPositionals: false });
  const set: Record<string, string> = {};
  for (const pair of values.set ?? []) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new Error(`--set takes name=value, not "${pair}"`);
    set[name] = value;
  }
  const shortcuts = { limit: values.limit, window: values.window, windowMs: values['window-ms'] };
  for (const [name, value] of Object.entries(shortcuts)) {
    if (value === undefined) continue;
    if (Object.hasOwn(set, name)) throw new Error(`${name} is given twice: by its own flag and by --set`);
    set[name] = value;
  }
  if (values.control !== undefined && !['on', 'off'].includes(values.control)) {
    throw new Error(`--control is on or off, not "${values.control}"`);
  }
  if (values.empty && values.orders !== undefined) throw new Error('--empty and --orders contradict each other');

  const listen: Record<string, unknown> = { set, tls: values.tls ?? false, control: values.control !== 'off' };
  for (const [name, max] of [
    ['port', 65_535],
    ['orders', 100_000],
    ['seed', 2 ** 31 - 1],
  ] as const) {
    const text = values[name];
    if (text === undefined) continue;
    if (!/^\d{1,10}$/.test(text) || Number(text) > max) {
      throw new Error(`--${name} takes a whole number up to ${max}, not "${text}"`);
    }
    listen[name] = Number(text);
  }
  if (values.empty) listen.orders = 0;
  if (values['relative-dates']) listen.relativeDates = true;
  if (values.latency !== undefined) listen.latency = values.latency;
  if (values.profile !== undefined) listen.profile = values.profile;
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    json: values.json ?? false,
    verbose: values.verbose ?? false,
    listen: listen as ListenOptions,
  };
};

/** What a setting takes, its default first. */
const allowedValues = (setting: Setting): string => {
  switch (setting.kind) {
    case 'choice':
      return setting.values.join('|');
    case 'number':
      return `${setting.default} (${setting.min} to ${setting.max})`;
    case 'limit':
      return `${setting.default} (${setting.min} to ${setting.max}, or off)`;
    case 'list':
      return setting.default.join(',') || 'none (a list, with commas)';
    case 'text':
      return setting.default || 'any text';
  }
};

export const helpText = (): string => {
  const settingLines = Object.entries(settingDefinitions).map(([name, setting]) => {
    return `  ${name}=${allowedValues(setting)}\n      ${setting.about} ${setting.points}`;
  });
  const faultLines = Object.entries(faultKinds).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
  const sampleLines = samplePlaces.map(({ name, about }) => `  ${name.padEnd(15)} ${about}`);
  return `Usage: order-license-mock [options]

Serves a mock of the Order and License Retrieval API on 127.0.0.1 until Ctrl-C.

Server
  --port N            port to listen on (a free one)
  --tls               HTTPS with a certificate made at the start; its file is printed
  --control on|off    the control API under /__mock (on)

Data
  --orders N          orders of the business account, up to 100000 (120)
  --empty             no orders at all
  --seed N            the same seed gives the same data (1)
  --relative-dates    the newest order is of the last 24 hours, not of June 2026

Behaviour
  --limit N|off       requests in a window for one key (60)
  --window NAME       how the limit resets (lockout):
                      ${settingDefinitions.window.values.join(', ')}
  --window-ms N       length of the window in ms (60000)
  --latency MS        delay of every answer: 100, 50..300 or lognormal:120:0.5 (0)
  --profile NAME      a set of settings (strict):
                      ${profileNames.join(', ')}
  --set NAME=VALUE    one setting over the profile; may be repeated

Output
  --json              one line of JSON when it listens: baseUrl, controlUrl, keys
  -v, --verbose       a line for every request, on stderr
  -h, --help          this text
  --version           prints the version

Settings for --set NAME=VALUE. The default comes first, the open point of the API text last.
${settingLines.join('\n')}

Faults, for one request with the header "x-mock-fault: NAME" or through POST /__mock/faults.
Details follow the name: "html;status=503". A status alone, "429;retryAfter=5", is that error.
${faultLines.join('\n')}

Samples: seeded orders for one case each. GET /__mock/samples gives their ids and numbers.
${sampleLines.join('\n')}
`;
};
