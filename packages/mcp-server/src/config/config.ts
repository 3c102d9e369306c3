import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { checkBaseUrl, configurationError } from '@order-license/core/host';
import type { OrderLicenseError } from '@order-license/core/portable';
import type { Masking } from '../answers/masked-answer.ts';
import { checkConfiguredKey } from './api-key.ts';
import { atPlace, type Environment, type ReadVariable, readEnvironment, readNumber } from './environment.ts';
import { readStoreChoice, type StoreChoice } from './store-choice.ts';

/** Settings for both stdio and HTTP. */
export interface Settings {
  baseUrl: string;
  /** Hosts that may be called over plain HTTP. */
  allowHttpHosts: readonly string[];
  masking: Masking;
  /** True for ORDER_LICENSE_LICENSE_KEYS=app: results mask license keys, and the order card shows them to people. */
  orderCard: boolean;
  /** Whether each tool call is logged to stderr. */
  accessLog: boolean;
  /** Maximum number of requests per minute with one key (§8) by all servers that share the store. */
  requestsPerMinute: number;
  /** The store in which requests are counted. */
  store: StoreChoice;
  /** The server's API key; over http, for callers without their own. */
  apiKey: string | undefined;
}

export interface Config extends Settings {
  apiKey: string;
  /** An existing folder for exported files; over stdio only. */
  exportFolder?: string | undefined;
}

/**
 * Reads the configuration from environment variables and checks it without sending anything (S-43).
 * @throws `configuration`, with the name of the variable and what to do, but without a key
 */
export const readConfig = (env: Environment): Config => {
  const read = readEnvironment(env);
  // Every chat application starts its own server, but all of them share one key's limit.
  const { apiKey, ...settings } = readSettings(read, 'sqlite');
  if (apiKey === undefined) throw notSet('ORDER_LICENSE_API_KEY', 'an API key from the customer account');
  return { ...settings, apiKey, exportFolder: readFolder(read('ORDER_LICENSE_EXPORT_FOLDER')) };
};

/**
 * Reads the settings for both stdio and HTTP.
 * @throws `configuration`; the error does not contain the key
 */
export const readSettings = (read: ReadVariable, defaultStore: 'memory' | 'sqlite'): Settings => {
  const baseUrl = read('ORDER_LICENSE_BASE_URL');
  if (baseUrl === undefined)
    throw notSet('ORDER_LICENSE_BASE_URL', 'the address of the API, such as https://shop.example/api/v1');
  const allowHttpHosts = readHosts(read('ORDER_LICENSE_ALLOW_HTTP_HOSTS'));
  const licenseKeys = read('ORDER_LICENSE_LICENSE_KEYS') ?? 'full';
  const apiKey = read('ORDER_LICENSE_API_KEY');
  return {
    baseUrl: atPlace('ORDER_LICENSE_BASE_URL', () => checkBaseUrl(baseUrl, allowHttpHosts)),
    allowHttpHosts,
    masking: { licenseKeys: licenseKeys !== 'full', personalData: read('ORDER_LICENSE_PERSONAL_DATA') === 'masked' },
    orderCard: licenseKeys === 'app',
    accessLog: read('ORDER_LICENSE_ACCESS_LOG') === 'stderr',
    requestsPerMinute: readNumber(
      'ORDER_LICENSE_REQUESTS_PER_MINUTE',
      read('ORDER_LICENSE_REQUESTS_PER_MINUTE') ?? '60',
      1,
      60,
    ),
    store: readStoreChoice(read('ORDER_LICENSE_STORE') ?? defaultStore),
    apiKey: apiKey && checkConfiguredKey(apiKey, 'ORDER_LICENSE_API_KEY'),
  };
};

const notSet = (name: string, what: string): OrderLicenseError =>
  configurationError(
    `${name} is not set`,
    `Set it to ${what}. Many clients don't pass on the shell's variables: set it in the client's configuration.`,
  );

const readHosts = (names = ''): string[] => {
  const hosts = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  // The address in this check is always allowed, so an error can only concern the list of hosts.
  atPlace('ORDER_LICENSE_ALLOW_HTTP_HOSTS', () => checkBaseUrl('https://shop.example/api/v1', hosts));
  return hosts;
};

const readFolder = (folder: string | undefined): string | undefined => {
  if (folder === undefined || (isAbsolute(folder) && isFolder(folder))) return folder;
  throw configurationError(
    'ORDER_LICENSE_EXPORT_FOLDER must be the absolute path of an existing folder',
    'Create the folder, or remove the variable.',
  );
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // missing, or not readable
  }
};
