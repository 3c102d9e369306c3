import type { PlainKeys } from './data/accounts.ts';
import type { OrderInput } from './data/order-input.ts';
import { readOrders } from './data/read-orders.ts';
import { maxSeed, maxSeededOrders } from './data/seed.ts';
import { drawMs } from './faults/fault.ts';
import type { ProfileName, SettingInput } from './settings/profiles.ts';
import type { Settings } from './settings/settings.ts';
import { isObject, refuseUnknownFields } from './validate/fields.ts';
import { shown, wholeNumber } from './validate/values.ts';

export interface MockOptions {
  /** The same seed produces the same data, byte for byte. Default: 1. */
  seed?: number;
  /**
   * Number of seeded orders of the business account, 0 to 100000; other accounts have fewer. Default: 120.
   * Or your own orders, or answers of the API, which replace all orders of the account `business`; the others keep theirs.
   */
  orders?: number | OrderInput[] | object;
  /**
   * Moves the newest seeded order into the 24 hours before the start, instead of June 2026. Default: `false`, the same
   * data on any day.
   */
  relativeDates?: boolean;
  /** API keys by name. Default: generated from the seed. */
  keys?: Partial<PlainKeys>;
  /** Prefix of every license key, so that tests can search for leaks. Default: none. */
  licenseKeyPrefix?: string;
  /** Default: `strict`. */
  profile?: ProfileName;
  /** Settings that override the profile, e.g. `{ limit: 'off', money: 'number' }`. */
  set?: SettingInput;
  /** Requests per window and key, or `off`; short for `set: { limit }`. Default: 60. */
  limit?: number | 'off';
  /** How the limit resets; short for `set: { window }`. Default: `lockout`. */
  window?: Settings['window'];
  /** Length of the window, ms; short for `set: { windowMs }`. Default: 60000. */
  windowMs?: number;
  /** Freezes the clock at this time: ms since 1970, or UTC like `2026-03-31 14:05:00`. Default: real time. */
  frozenAt?: number | string;
  /** Delay of every answer, ms: `100`, `50..300` or `lognormal:120:0.5`. Default: 0. */
  latency?: number | string;
  /** Maximum number of requests in the journal. Default: 1000. */
  journalSize?: number;
}

export const mockOptionNames: readonly (keyof MockOptions)[] = [
  ...([
    'seed',
    'orders',
    'relativeDates',
    'keys',
    'licenseKeyPrefix',
    'profile',
    'set',
    'limit',
    'window',
    'windowMs',
  ] as const),
  ...(['frozenAt', 'latency', 'journalSize'] as const),
];

/**
 * Returns the options with their defaults.
 * @throws Error that names the invalid option
 */
export const readOptions = (options: MockOptions) => {
  refuseUnknownFields('a mock', options, mockOptionNames);
  const { seed = 1, orders = 120, licenseKeyPrefix = '', journalSize = 1000, latency, relativeDates = false } = options;
  wholeNumber('seed', seed, maxSeed);
  wholeNumber('journalSize', journalSize, 1_000_000, 1);
  if (typeof relativeDates !== 'boolean')
    throw new Error(`relativeDates must be true or false, not ${shown(relativeDates)}`);
  if (latency !== undefined) drawMs(latency, 0.5, 0.5, 'latency');
  const own = typeof orders === 'object' ? readOrders([{ at: 'orders', value: orders }]) : undefined;
  return {
    seed,
    orders: own ?? wholeNumber('orders', orders, maxSeededOrders),
    licenseKeyPrefix,
    journalSize,
    latency,
    relativeDates,
  };
};

/**
 * Returns the settings from `set` and from the separate options.
 * @throws Error if a setting is given in both
 */
export const settingsOf = ({ limit, window, windowMs, set }: MockOptions): SettingInput => {
  if (set !== undefined && !isObject(set)) throw new Error('set must be an object like {"money": "number"}');
  const own = Object.entries({ limit, window, windowMs }).filter(([, value]) => value !== undefined);
  const twice = own.find(([name]) => Object.hasOwn(set ?? {}, name));
  if (twice) throw new Error(`${twice[0]} is given twice: as an option and in set`);
  return { ...Object.fromEntries(own), ...set };
};
