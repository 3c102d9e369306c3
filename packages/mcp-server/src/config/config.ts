import { checkApiKey, checkBaseUrl, OrderLicenseError } from '@order-license/core/portable';
import { readStoreChoice, type StoreChoice } from './store-choice.ts';
import { variables } from './variables.ts';

/** What both ways of serving need. */
export interface Settings {
  baseUrl: string;
  /** Whether license keys are masked in every answer. */
  maskKeys: boolean;
  /** The share of the 60 requests per minute (§8) that this process may spend on one key. */
  requestsPerMinute: number;
  /** Where requests are counted. */
  store: StoreChoice;
}

export interface Config extends Settings {
  apiKey: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'ORDER_LICENSE_';
const names = variables.map(({ name }) => name);
/** Former names, under which a setting would be lost without a word. */
const renamed: Readonly<Record<string, string>> = {
  ORDER_LICENSE_KEYS: 'ORDER_LICENSE_LICENSE_KEYS',
  ORDER_LICENSE_LEDGER: 'ORDER_LICENSE_STORE',
};

/** What Kubernetes sets in every pod beside a Service whose name begins with `order-license`. */
const kubernetesName = /^ORDER_LICENSE_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_.+)?)$/;

/**
 * Reads the configuration from environment variables and checks it without sending anything (S-43).
 * @throws `configuration`: one sentence that names the variable and what to do, never a key
 */
export const readConfig = (env: Environment): Config => {
  const read = readVariables(env);
  // Every chat application starts a server of its own, and they all spend the limit of the same key.
  const settings = readSettings(read, 'sqlite');
  const apiKey = read.optional('API_KEY');
  if (apiKey === undefined) throw notSet('API_KEY', 'an API key from the customer account');
  return { ...settings, apiKey: checkApiKey(apiKey) };
};

/** Both take the name of a variable without the prefix. */
export interface Variables {
  /** One that is empty, or was not filled in by a client, counts as not set. */
  optional(name: string): string | undefined;
  /**
   * For what limits the server: one that is set has to have a value, since one that got lost on its way would lift the
   * limit in silence.
   * @throws `configuration`
   */
  limiting(name: string): string | undefined;
}

/** @throws `configuration` for a name that is none of {@link variables} */
export const readVariables = (env: Environment): Variables => {
  for (const name of Object.keys(env)) {
    const asRead = process.platform === 'win32' ? name.toUpperCase() : name; // where case makes no difference
    if (!name.toUpperCase().startsWith(prefix) || names.includes(asRead) || kubernetesName.test(name)) continue;
    const newName = renamed[asRead];
    if (newName) throw misconfigured(`${name} is called ${newName} now; rename it.`);
    throw misconfigured(`${name} is not a setting; there are ${names.join(', ')}.`);
  }
  const optional = (name: string): string | undefined => {
    const value = env[prefix + name]?.trim() ?? '';
    // A client whose template was not filled in hands over the placeholder.
    const isPlaceholder = value.startsWith('${') || value === `$${prefix}${name}` || value === `%${prefix}${name}%`;
    return value === '' || isPlaceholder ? undefined : value;
  };
  const limiting = (name: string): string | undefined => {
    const value = optional(name);
    if (value === undefined && env[prefix + name] !== undefined) {
      throw misconfigured(
        `${prefix}${name} is empty, or a placeholder that nothing filled in; give it a value, or do not set it.`,
      );
    }
    return value;
  };
  return { optional, limiting };
};

/**
 * The settings without the keys.
 * @throws `configuration`
 */
export const readSettings = ({ optional, limiting }: Variables, defaultStore: 'memory' | 'sqlite'): Settings => {
  const baseUrl = optional('BASE_URL');
  if (baseUrl === undefined)
    throw notSet('BASE_URL', 'the address of the service, such as https://shop.example/api/v1');
  return {
    baseUrl: checkBaseUrl(baseUrl),
    maskKeys: readKeys(limiting('LICENSE_KEYS')),
    requestsPerMinute: readRate(limiting('REQUESTS_PER_MINUTE')),
    store: readStoreChoice(limiting('STORE') ?? defaultStore),
  };
};

const misconfigured = (message: string): OrderLicenseError => new OrderLicenseError('configuration', message);

const notSet = (name: string, what: string): OrderLicenseError =>
  misconfigured(`${prefix}${name} is not set; give it ${what}.`);

const readKeys = (value = 'full'): boolean => {
  if (value === 'full') return false;
  if (value === 'masked') return true;
  throw misconfigured('ORDER_LICENSE_LICENSE_KEYS has to be `full` or `masked`.');
};

const readRate = (value = '60'): number => {
  const rate = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (rate >= 1 && rate <= 60) return rate;
  throw misconfigured('ORDER_LICENSE_REQUESTS_PER_MINUTE has to be a whole number from 1 to 60.');
};
