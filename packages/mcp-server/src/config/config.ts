import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { checkBaseUrl } from '@order-license/core/host';
import { isOrderLicenseError, type OrderLicenseError } from '@order-license/core/portable';
import type { Masking } from '../answers/masked-answer.ts';
import { readApiKey } from './api-key.ts';
import { type Environment, type EnvironmentReader, misconfigured, prefix, readEnvironment } from './environment.ts';
import { readStoreChoice, type StoreChoice } from './store-choice.ts';

/** Settings for both stdio and HTTP. */
export interface Settings {
  baseUrl: string;
  /** Hosts that may be asked over plain HTTP. */
  allowHttpHosts: readonly string[];
  /** What to mask in answers. */
  masking: Masking;
  /** Whether the order card shows people the license keys that answers mask: ORDER_LICENSE_LICENSE_KEYS=app. */
  orderCard: boolean;
  /** Whether each tool call is logged to stderr. */
  accessLog: boolean;
  /** The share of the 60 requests per minute (§8) that this process may use on one key. */
  requestsPerMinute: number;
  /** Where requests are counted. */
  store: StoreChoice;
}

export interface Config extends Settings {
  apiKey: string;
  /** An existing folder for exported files, over stdio alone. */
  exportFolder?: string | undefined;
}

/**
 * Reads the configuration from environment variables and checks it without sending anything (S-43).
 * @throws `configuration`: one sentence that names the variable and what to do, never a key
 */
export const readConfig = (env: Environment): Config => {
  const read = readEnvironment(env);
  // Every chat application starts its own server, and all of them share one key's limit.
  const settings = readSettings(read, 'sqlite');
  const apiKey = readApiKey(read);
  if (apiKey === undefined) throw notSet('API_KEY', 'an API key from the customer account');
  const exportFolder = readFolder(read.optional('EXPORT_FOLDER'));
  return { ...settings, apiKey, ...(exportFolder !== undefined && { exportFolder }) };
};

/**
 * The settings without the keys.
 * @throws `configuration`
 */
export const readSettings = (
  { optional, limiting }: EnvironmentReader,
  defaultStore: 'memory' | 'sqlite',
): Settings => {
  const baseUrl = optional('BASE_URL');
  if (baseUrl === undefined)
    throw notSet('BASE_URL', 'the address of the service, such as https://shop.example/api/v1');
  const allowHttpHosts = readHosts(optional('ALLOW_HTTP_HOSTS'));
  const licenseKeys = readChoice('LICENSE_KEYS', limiting, ['full', 'masked', 'app']);
  return {
    baseUrl: named('BASE_URL', () => checkBaseUrl(baseUrl, allowHttpHosts)),
    allowHttpHosts,
    masking: {
      licenseKeys: licenseKeys !== 'full',
      personalData: readChoice('PERSONAL_DATA', limiting, ['full', 'masked']) === 'masked',
    },
    orderCard: licenseKeys === 'app',
    accessLog: readChoice('ACCESS_LOG', limiting, ['off', 'stderr']) === 'stderr',
    requestsPerMinute: readRate(limiting('REQUESTS_PER_MINUTE')),
    store: readStoreChoice(limiting('STORE') ?? defaultStore),
  };
};

const notSet = (name: string, what: string): OrderLicenseError =>
  misconfigured(
    `${prefix}${name} is not set`,
    `Set it to ${what}. Many clients don't pass on the shell's variables: set it in the client's configuration.`,
  );

/** Names the variable in an error of core: a client's configuration has no "base URL". */
const named = <Value>(name: string, read: () => Value): Value => {
  try {
    return read();
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    throw misconfigured(`${prefix}${name}: ${error.detail}`, error.advice);
  }
};

const readHosts = (names = ''): string[] => {
  const hosts = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return named('ALLOW_HTTP_HOSTS', () => {
    // This address needs no exception, so only the hosts can be wrong.
    checkBaseUrl('https://shop.example/api/v1', hosts);
    return hosts;
  });
};

/** @param choices the first is the default */
const readChoice = (name: string, limiting: EnvironmentReader['limiting'], choices: readonly string[]): string => {
  const value = limiting(name) ?? choices[0] ?? '';
  if (choices.includes(value)) return value;
  const named = choices.map((choice) => `\`${choice}\``);
  throw misconfigured(`${prefix}${name} must be ${named.slice(0, -1).join(', ')} or ${named.at(-1)}`);
};

const readRate = (value = '60'): number => {
  const rate = /^\d{1,2}$/.test(value) ? Number(value) : 0;
  if (rate >= 1 && rate <= 60) return rate;
  throw misconfigured('ORDER_LICENSE_REQUESTS_PER_MINUTE must be a whole number from 1 to 60');
};

const readFolder = (folder: string | undefined): string | undefined => {
  if (folder === undefined || (isAbsolute(folder) && isFolder(folder))) return folder;
  throw misconfigured(
    `${prefix}EXPORT_FOLDER must be an existing folder, as an absolute path`,
    'Create it, or remove the variable.',
  );
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
