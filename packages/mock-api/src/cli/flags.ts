import { parseArgs } from 'node:util';
import { latestTime } from '../clock.ts';
import { fixtureKeys } from '../data/accounts.ts';
import { samplePlaces } from '../data/samples.ts';
import { maxSeed, maxSeededOrders } from '../data/seed.ts';
import { faultKinds } from '../faults/fault.ts';
import type { ListenOptions } from '../server/listen-options.ts';
import type { Setting } from '../settings/kinds.ts';
import { profileNames } from '../settings/profiles.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { readUtcText } from '../utc-time.ts';
import { readConfigFile } from './config-file.ts';
import { probeHelp } from './probe.ts';

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  control: { type: 'string' },
  json: { type: 'boolean' },
  verbose: { type: 'boolean', short: 'v' },
  orders: { type: 'string' },
  empty: { type: 'boolean' },
  'orders-file': { type: 'string' },
  config: { type: 'string' },
  seed: { type: 'string' },
  'relative-dates': { type: 'boolean' },
  key: { type: 'string', multiple: true },
  'license-key-prefix': { type: 'string' },
  'frozen-at': { type: 'string' },
  latency: { type: 'string' },
  limit: { type: 'string' },
  window: { type: 'string' },
  'window-ms': { type: 'string' },
  profile: { type: 'string' },
  set: { type: 'string', multiple: true },
  'journal-size': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

export const flagNames = Object.keys(flags);

/** The command-line flag for each option of `listen`. */
export const flagOfOption = {
  port: 'port',
  host: 'host',
  allowHosts: 'allow-host',
  tlsCert: 'tls-cert',
  tlsKey: 'tls-key',
  control: 'control',
  orders: 'orders',
  ordersFile: 'orders-file',
  seed: 'seed',
  relativeDates: 'relative-dates',
  keys: 'key',
  licenseKeyPrefix: 'license-key-prefix',
  frozenAt: 'frozen-at',
  latency: 'latency',
  limit: 'limit',
  window: 'window',
  windowMs: 'window-ms',
  profile: 'profile',
  set: 'set',
  journalSize: 'journal-size',
} as const satisfies Record<keyof ListenOptions, keyof typeof flags>;

/** A parsed command line. */
export interface CommandOptions {
  help: boolean;
  version: boolean;
  json: boolean;
  verbose: boolean;
  listen: ListenOptions;
}

/**
 * Parses the command line.
 * @throws Error that names the invalid flag
 */
export const readCommandLine = (args: string[]): CommandOptions => {
  const { values } = parseArgs({ args, options: flags, strict: true, allowPositionals: false });
  const sources = ['empty', 'orders', 'orders-file'].filter((flag) => flag in values);
  if (sources.length > 1)
    throw new Error(`${sources.map((flag) => `--${flag}`).join(' and ')} can't be combined. Use one.`);
  const listen: Record<string, unknown> & ListenOptions = values.empty ? { orders: 0 } : {};
  for (const [option, flag] of Object.entries(flagOfOption)) {
    const value = values[flag];
    if (value !== undefined) listen[option] = readers[option]?.(value as string & string[], flag) ?? value;
  }
  return {
    help: values.help ?? false,
    version: values.version ?? false,
    json: values.json ?? false,
    verbose: values.verbose ?? false,
    listen: values.config === undefined ? listen : withConfig(readConfigFile(values.config), listen),
  };
};

/** Flags override the options of the file. */
const withConfig = (config: ListenOptions, given: ListenOptions): ListenOptions => {
  const { orders, ordersFile, set, limit, window, windowMs, keys, ...rest } = config;
  const isData = 'orders' in given || 'ordersFile' in given;
  const short = Object.entries({ limit, window, windowMs }).filter(([name]) => !(name in (given.set ?? {})));
  const single = Object.entries(set ?? {}).filter(([name]) => !(name in given));
  return {
    ...rest,
    ...(!isData && orders !== undefined && { orders }),
    ...(!isData && ordersFile !== undefined && { ordersFile }),
    ...Object.fromEntries(short.filter(([, value]) => value !== undefined)),
    ...given,
    ...(keys || given.keys ? { keys: { ...keys, ...given.keys } } : {}),
    ...(set || given.set ? { set: { ...Object.fromEntries(single), ...given.set } } : {}),
  };
};

const wholeUpTo =
  (max: number) =>
  (value: string, flag: string): number => {
    if (/^\d{1,13}$/.test(value) && Number(value) <= max) return Number(value);
    throw new Error(`--${flag} must be a whole number up to ${max}, not "${value}"`);
  };

const pairs = (given: string[], flag: string): Record<string, string> => {
  const read = given.map((pair): [string, string] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) return [name, value];
    // An invalid --key value may be an API key, so the message doesn't quote it.
    throw new Error(`--${flag} takes name=value${flag === 'key' ? '' : `, not "${pair}"`}`);
  });
  return Object.fromEntries(read);
};

/** Converts flags to options; flags without an entry stay unchanged. */
const readers: Partial<Record<string, (value: string & string[], flag: string) => unknown>> = {
  port: wholeUpTo(65_535),
  orders: wholeUpTo(maxSeededOrders),
  seed: wholeUpTo(maxSeed),
  journalSize: wholeUpTo(1_000_000),
  control(value) {
    if (value === 'on' || value === 'off') return value === 'on';
    throw new Error(`--control must be on or off, not "${value}"`);
  },
  frozenAt: (value, flag) =>
    /^\d+$/.test(value) ? wholeUpTo(latestTime)(value, flag) : readUtcText(`--${flag}`, value),
  keys: pairs,
  set: pairs,
};

/** The values of a setting, the default first. */
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

/** The flags on one screen. */
export const helpText = (): string => `Usage: order-license-mock [options]
       order-license-mock probe --base-url URL [options]

Serves a mock of the Order and License Retrieval API until Ctrl-C.

  --port N             port to listen on (a free one)
  --host ADDRESS       address to listen on (127.0.0.1); 0.0.0.0 or :: opens it to other machines
  --allow-host NAME    another host name for the control API; may be repeated
  --control on|off     the control API under /__mock (on)
  --tls-cert FILE      HTTPS with this certificate, and --tls-key FILE, its private key, both in PEM
  --config FILE        options of listen() as JSON; flags override them

  --orders N, --empty  orders of the account business, up to 100000 (120)
  --orders-file FILE   your own orders in the fields of the API, one JSON value or one on each line
  --seed N             the same seed produces the same data (1)
  --relative-dates     dates the newest order in the last 24 hours instead of June 2026
  --key NAME=VALUE     your own API key; may be repeated (for the names, start the mock)
  --license-key-prefix TEXT

  --limit N|off        requests per window for one key (60)
  --window NAME        how the limit resets (lockout), and --window-ms N, its length (60000)
  --latency MS         delay of every response: 100 or 50..300 (0)
  --profile NAME       a set of settings: ${profileNames.join(', ')}
  --set NAME=VALUE     a single setting; may be repeated
  --frozen-at TIME     freezes the clock at ms since 1970, or 2026-03-31 14:05:00 in UTC
  --journal-size N     maximum number of requests in the journal (1000)

  --json               prints one line of JSON at the start: baseUrl, controlUrl, keys
  -v, --verbose        prints each request to stderr
  -h, --help           prints this help
  --help settings      prints every setting, fault and sample
  --version            prints the version

Probe of a real service; reads the key from ORDER_LICENSE_API_KEY
${probeHelp}`;

/** Every setting, fault and sample. */
export const settingsHelp = (): string => {
  const settingLines = Object.entries(settingDefinitions).map(([name, setting]) => {
    return `  ${name}=${allowedValues(setting)}\n      ${setting.about} ${setting.points}`;
  });
  const faultLines = Object.entries(faultKinds).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
  const sampleLines = samplePlaces.map(({ name, about }) => `  ${name.padEnd(15)} ${about}`);
  return `Settings for --set NAME=VALUE. The default comes first; the U numbers are open questions of the API docs.
${settingLines.join('\n')}

Faults: for one request with the header "x-mock-fault: NAME" or through POST /__mock/faults.
Details follow the name: "html;status=503". A status alone, "429;retryAfter=5", is that error.
${faultLines.join('\n')}

Samples: a seeded order for each case. GET /__mock/samples returns their ids and numbers.
${sampleLines.join('\n')}

Keys: ${Object.keys(fixtureKeys).join(', ')}
`;
};
