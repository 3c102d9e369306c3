import { faultKinds } from '../faults/fault.ts';
import { fixtureKeys } from '../orders/accounts.ts';
import { samplePlaces } from '../orders/samples.ts';
import type { ListenOptions } from '../server/listen-options.ts';
import { settingDefinitions } from '../settings/settings.ts';
import { flagsIn, readFlags } from './help-flags.ts';
import { probeHelp } from './probe.ts';

/**
 * The help for all flags. Each flag's name in camel case is an option of `listen`, except for those in `renamed`, and
 * for `empty` and the last four, which belong to the command itself.
 */
export const flagHelp = `
  --port N             port to listen on (any free port)
  --host ADDRESS       address to listen on (127.0.0.1); 0.0.0.0 or :: lets other machines connect
  --allow-host NAME    additional host name that the control API accepts; may be repeated
  --control on|off     whether to serve the control API, which changes the running mock, under /__mock (on)
  --tls-cert FILE      certificate for HTTPS, in PEM format; needs --tls-key
  --tls-key FILE       private key of the certificate, in PEM format

  --orders N           number of orders in the account "business", up to 100000 (120)
  --empty              starts without orders, like --orders 0
  --orders-file FILE   JSON or JSON Lines file with your own orders, using the API's field names
  --seed N             seed for the generated data; the same seed produces the same data (1)
  --relative-dates     dates the newest order less than a day ago; without this flag, its date is in June 2026
  --key NAME=VALUE     your own value for one of the API keys that the mock prints; may be repeated
  --license-key-prefix TEXT
                       text at the start of every generated license key (none)

  --limit N|off        requests per window for each API key (60)
  --window NAME        how long to reject requests over the limit (lockout); see \`--help settings\`
  --window-ms N        length of the window in ms (60000)
  --latency MS         delay before every response in ms: 100, or a range such as 50..300 (0)
  --profile NAME       set of settings: strict, lenient or adversarial (strict)
  --set NAME=VALUE     value of a single setting; may be repeated
  --frozen-at TIME     freezes the clock at a UTC time such as "2026-03-31 14:05:00", or at ms since 1970
  --journal-size N     number of newest requests that the journal keeps (1000), besides those with violations

  --json               prints one line of JSON at startup, with baseUrl, controlUrl and keys
  -v, --verbose        prints each request to stderr
  -h, --help           prints this help; \`--help settings\` lists all settings, faults, samples and API keys
  --version            prints the version
`;

const example = 'order-license-mock --port 8080 --orders 500 --limit off --set money=number --verbose';

export const helpText = (): string => `Usage: order-license-mock [options]
       order-license-mock probe --base-url URL [options]

Serves a mock of the Order and License Retrieval API. Press Ctrl-C to stop it. For example:
  ${example}

Options, with their defaults in parentheses:${flagHelp}
Options of probe, which sends requests to a real API and needs ORDER_LICENSE_API_KEY:
${probeHelp}`;

const renamed: Record<string, string> = { 'allow-host': 'allowHosts', key: 'keys' };

/**
 * Parses the command line. `listen` checks the values.
 * @throws Error that names the invalid flag
 */
export const readCommandLine = (args: string[]) => {
  const values = readFlags(args, flagsIn(flagHelp));
  const { empty, help, version, json, verbose, ...own } = values;
  const sources = ['empty', 'orders', 'orders-file'].filter((flag) => flag in values);
  if (sources.length > 1)
    throw new Error(`${sources.map((flag) => `--${flag}`).join(' and ')} can't be combined. Use only one.`);
  const listen: Record<string, unknown> & ListenOptions = empty ? { orders: 0 } : {};
  for (const [flag, value] of Object.entries(own)) {
    listen[renamed[flag] ?? flag.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())] = optionOf(flag, value);
  }
  return { help, version, json, verbose, listen };
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
  const names = Object.keys(fixtureKeys);
  if (name !== undefined && value !== undefined && (flag !== 'key' || names.includes(name))) return [name, value];
  // An invalid --key value may be an API key, which can contain "=", so the message doesn't quote it.
  throw new Error(
    `--${flag} needs name=value, ${flag === 'key' ? `with one of the names ${names.join(', ')}` : `not "${pair}"`}`,
  );
};

/** Lists every setting, fault and sample. */
export const settingsHelp = (): string => {
  const settingLines = Object.entries(settingDefinitions).map(([name, setting]) => {
    return `  ${name}=${setting.allowed()}\n      ${setting.about} ${setting.points}`;
  });
  const faultLines = Object.entries(faultKinds).map(([name, { about, uses }]) => {
    return `  ${name.padEnd(12)} ${about}${uses.length > 0 ? ` Options: ${uses.join(', ')}.` : ''}`;
  });
  const sampleLines = samplePlaces.map(({ name, about }) => `  ${name.padEnd(15)} ${about}`);
  return `Settings for --set NAME=VALUE. The first value is the default, and each description follows the order of
the values. A U-number identifies a question that the API docs leave open.
${settingLines.join('\n')}

Faults. To apply a fault to a single request, send that request with the header "x-mock-fault: NAME". To apply it to
later requests, use POST /__mock/faults. Options can follow the name, as in "html;status=503"; their defaults are in
parentheses. An error status can replace the name, as in "429;retryAfter=5". Headers and changed responses need JSON:
{"kind": "503", "headers": {"x-request-id": "42"}} or {"response": {"body": ""}}.
${faultLines.join('\n')}

Samples: generated orders for cases that clients often mishandle. GET /__mock/samples returns their IDs and order numbers.
${sampleLines.join('\n')}

API keys: ${Object.keys(fixtureKeys).join(', ')}
`;
};
