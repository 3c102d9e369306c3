import { checkApiKey, checkBaseUrl, OrderLicenseError } from '@order-license/core/portable';

/** What both ways of serving need. */
export interface Settings {
  baseUrl: string;
  /** Whether license keys are masked in every answer. */
  maskKeys: boolean;
  /** The share of the 60 requests per minute (§8) that this process may spend on one key. */
  requestsPerMinute: number;
}

export interface Config extends Settings {
  apiKey: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'ORDER_LICENSE_';
const names = ['ACCESS_TOKEN', 'API_KEY', 'BASE_URL', 'KEYS', 'LEDGER', 'REQUESTS_PER_MINUTE'];

/**
 * Reads the configuration from environment variables and checks it without sending anything (S-43).
 * @throws `configuration`: one sentence that names the variable and what to do, never a key
 */
export const readConfig = (env: Environment): Config => {
  const { optional, ...settings } = readSettings(env);
  const apiKey = optional('API_KEY');
  if (apiKey === undefined) throw notSet('API_KEY', 'an API key from the customer account');
  return { ...settings, apiKey: checkApiKey(apiKey) };
};

/**
 * The settings without the keys.
 * @returns also `optional`, which reads a further variable by its name without the prefix
 * @throws `configuration`
 */
export const readSettings = (env: Environment): Settings & { optional(name: string): string | undefined } => {
  for (const name of Object.keys(env)) {
    if (name.startsWith(prefix) && !names.includes(name.slice(prefix.length))) {
      throw misconfigured(`${name} is not a setting; there are ${names.map((known) => prefix + known).join(', ')}.`);
    }
  }
  const optional = (name: string): string | undefined => {
    const value = env[prefix + name]?.trim() ?? '';
    // A client whose template was not filled in hands over the placeholder.
    return value === '' || value.startsWith('${') ? undefined : value;
  };
  const baseUrl = optional('BASE_URL');
  if (baseUrl === undefined)
    throw notSet('BASE_URL', 'the address of the service, such as https://shop.example/api/v1');
  checkLedger(optional('LEDGER'));
  return {
    baseUrl: checkBaseUrl(baseUrl),
    maskKeys: readKeys(optional('KEYS')),
    requestsPerMinute: readRate(optional('REQUESTS_PER_MINUTE')),
    optional,
  };
};

const misconfigured = (message: string): OrderLicenseError => new OrderLicenseError('configuration', message);

const notSet = (name: string, what: string): OrderLicenseError =>
  misconfigured(`${prefix}${name} is not set; give it ${what}.`);

const readKeys = (value = 'full'): boolean => {
  if (value === 'full') return false;
  if (value === 'masked') return true;
  throw misconfigured('ORDER_LICENSE_KEYS has to be `full` or `masked`.');
};

const readRate = (value = '60'): number => {
  const rate = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (rate >= 1 && rate <= 60) return rate;
  throw misconfigured('ORDER_LICENSE_REQUESTS_PER_MINUTE has to be a whole number from 1 to 60.');
};

const checkLedger = (value = 'memory'): void => {
  if (value === 'memory') return;
  if (/^(sqlite(:|$)|rediss?:)/.test(value)) {
    throw misconfigured('ORDER_LICENSE_LEDGER: only `memory` is there in this version; leave it out or set `memory`.');
  }
  throw misconfigured('ORDER_LICENSE_LEDGER has to be `memory`.');
};
