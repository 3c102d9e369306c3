import { parseArgs } from 'node:util';
import { fixtureKeys } from '../data/accounts.ts';
import { samplePlaces } from '../data/samples.ts';
import { faultKinds } from '../faults/fault.ts';
import { settingsOf } from '../mock-options.ts';
import type { ListenOptions } from '../server/listen-options.ts';
import type { Setting } from '../settings/kinds.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { readConfigFile } from './config-file.ts';
import { flagsIn } from './help-flags.ts';
import { probeHelp } from './probe.ts';

/**
 * The flags, on one screen. In camel case, each name is an option of `listen`, except those in `renamed` and
 * `commandFlags`.
 */
export const flagHelp = `
  --port N             port to listen on (a free one)
  --host ADDRESS       address to listen on (127.0.0.1); 0.0.0.0 or :: opens it to other machines
  --allow-host NAME    another host name for the control API; may be repeated
  --control on|off     the control API under /__mock (on)
  --tls-cert FILE      HTTPS with this certificate in PEM
  --tls-key FILE       and with its private key in PEM
  --config FILE        options of listen() as JSON; flags override them

  --orders N           orders of the account business, up to 100000 (120)
  --empty              no orders, like --orders 0
  --orders-file FILE   your own orders, with the API's field names: one JSON value, or one per line
  --seed N             the same seed produces the same data (1)
  --relative-dates     dates the newest order in the last 24 hours instead of June 2026
  --key NAME=VALUE     your own API key; may be repeated (start the mock to see the names)
  --license-key-prefix TEXT

  --limit N|off        requests per window for one key (60)
  --window NAME        how the limit resets (lockout)
  --window-ms N        length of the window (60000)
  --latency MS         delay of every response: 100 or 50..300 (0)
  --profile NAME       a set of settings: strict, lenient, adversarial
  --set NAME=VALUE     a single setting; may be repeated
  --frozen-at TIME     freezes the clock at ms since 1970, or 2026-03-31 14:05:00 in UTC
  --journal-size N     maximum number of requests in the journal (1000)

  --json               prints one line of JSON at the start: baseUrl, controlUrl, keys
  -v, --verbose        prints each request to stderr
  -h, --help           prints this help; \`--help settings\` lists every setting, fault and sample
  --version            prints the version
`;

const example = 'order-license-mock --port 8080 --orders 500 --limit off --set money=number --verbose';

export const helpText = (): string => `Usage: order-license-mock [options]
       order-license-mock probe --base-url URL [options]

Serves a mock of the Order and License Retrieval API until Ctrl-C, for example:
  ${example}
${flagHelp}
Probing a real API; the key comes from ORDER_LICENSE_API_KEY
${probeHelp}`;

const renamed: Record<string, string> = { 'allow-host': 'allowHosts', key: 'keys' };
const commandFlags = ['config', 'empty', 'help', 'json', 'verbose', 'version'];

/** A parsed command line. */
export interface CommandOptions {
  help: boolean;
  version: boolean;
  json: boolean;
  verbose: boolean;
  listen: ListenOptions;
}

/**
 * Parses the command line. `listen` checks the values.
 * @throws Error that names the invalid flag
 */
export const readCommandLine = (args: string[]): CommandOptions => {
  const values: Record<string, unknown> = parseArgs({ args, options: flagsIn(flagHelp) }).values;
  const sources = ['empty', 'orders', 'orders-file'].filter((flag) => flag in values);
  if (sources.length > 1)
    throw new Error(`${sources.map((flag) => `--${flag}`).join(' and ')} can't be combined. Use one.`);
  const listen: Record<string, unknown> & ListenOptions = values.empty ? { orders: 0 } : {};
  for (const [flag, value] of Object.entries(values)) {
    if (commandFlags.includes(flag)) continue;
    listen[renamed[flag] ?? flag.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())] = optionOf(flag, value);
  }
  const { help = false, version = false, json = false, verbose = false, config } = values;
  return {
    ...({ help, version, json, verbose } as Omit<CommandOptions, 'listen'>),
    listen: typeof config === 'string' ? withConfig(readConfigFile(config), listen) : listen,
  };
};

/** Converts the text of a flag to an option. */
const optionOf = (flag: string, value: unknown): unknown => {
  if (flag === 'key' || flag === 'set')
    return Object.fromEntries((value as string[]).map((pair) => pairOf(flag, pair)));
  if (flag === 'control') {
    if (value === 'on' || value === 'off') return value === 'on';
    throw new Error(`--control must be on or off, not "${value}"`);
  }
  const isNumber = ['port', 'orders', 'seed', 'frozen-at', 'journal-size'].includes(flag);
  return isNumber && /^\d+$/.test(String(value)) ? Number(value) : value;
};

const pairOf = (flag: string, pair: string): [string, string] => {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // An invalid --key value may be an API key, so the message doesn't quote it.
  throw new Error(`--${flag} takes name=value${flag === 'key' ? '' : `, not "${pair}"`}`);
};

/** Flags override the options in the file. */
const withConfig = (config: ListenOptions, given: ListenOptions): ListenOptions => {
  const { orders, ordersFile, ...rest } = config;
  const { limit, window, windowMs, ...options } = {
    ...rest,
    ...('orders' in given || 'ordersFile' in given ? {} : { orders, ordersFile }),
    ...given,
  };
  const set = { ...settingsOf(config), ...settingsOf(given) };
  return { ...options, keys: { ...config.keys, ...given.keys }, set };
};

/** Lists the values of a setting, the default first. */
const allowedValues = (setting: Setting): string => {
  switch (setting.kind) {
    case 'choice':
      return setting.values.join('|');
    case 'number':
      return `${setting.default} (${setting.min} to ${setting.max}${setting.off ? ', or off' : ''})`;
    case 'list':
      return setting.default.join(',') || 'none (a comma-separated list)';
    case 'text':
      return setting.default || 'any text';
  }
};

/** Lists every setting, fault and sample. */
export const settingsHelp = (): string => {
  const settingLines = Object.entries(settingDefinitions).map(([name, setting]) => {
    return `  ${name}=${allowedValues(setting)}\n      ${setting.about} ${setting.points}`;
  });
  const faultLines = Object.entries(faultKinds).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
  const sampleLines = samplePlaces.map(({ name, about }) => `  ${name.padEnd(15)} ${about}`);
  return `Settings for --set NAME=VALUE. The default comes first; the U-numbers are questions that the API docs leave open.
${settingLines.join('\n')}

Faults: for one request with the header "x-mock-fault: NAME" or through POST /__mock/faults.
Details follow the name: "html;status=503". A status instead of a name, as in "429;retryAfter=5", returns that error.
${faultLines.join('\n')}

Samples: a seeded order for each case. GET /__mock/samples returns their ids and numbers.
${sampleLines.join('\n')}

Keys: ${Object.keys(fixtureKeys).join(', ')}
`;
};
