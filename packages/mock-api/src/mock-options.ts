import type { PlainKeys } from './data/accounts.ts';
import { readOwnOrders } from './data/input/own-orders.ts';
import { maxSeed, maxSeededOrders } from './data/seed.ts';
import { drawMs } from './faults/fault.ts';
import type { ProfileName, SettingInput } from './settings/profiles.ts';
import type { Settings } from './settings/settings.ts';
import { refuseUnknownFields } from './validate/fields.ts';
import { shown, wholeNumber } from './validate/values.ts';

export interface MockOptions {
  /** The same seed gives the same data, byte for byte. 1 where absent. */
  seed?: number;
  /**
   * How many seeded orders the business account has, 0 to 100000; the other accounts have fewer. 120 where absent.
   * Or the orders themselves, as the API answers them (an answer, a list of answers or orders): there are no others then.
   */
  orders?: number | object;
  /**
   * Dates the newest seeded order within the day before the mock's start, instead of in June 2026. `false` where absent:
   * the data is then the same on any day.
   */
  relativeDates?: boolean;
  /** Keys by name; those left out are made from the seed. */
  keys?: Partial<PlainKeys>;
  /** Stands before every license key, so that a test can search its output for it. */
  licenseKeyPrefix?: string;
  /** `strict` where absent. */
  profile?: ProfileName;
  /** Single settings over the profile, e.g. `{ limit: 'off', money: 'number' }`. */
  set?: SettingInput;
  /** Requests in a window for one key, or `off`: short for `set: { limit }`. 60 where absent. */
  limit?: number | 'off';
  /** Window model: short for `set: { window }`. `lockout` where absent. */
  window?: Settings['window'];
  /** Length of the window in ms: short for `set: { windowMs }`. 60000 where absent. */
  windowMs?: number;
  /** Starts with a clock that stands at this time, ms since 1970. The real time where absent. */
  frozenAt?: number;
  /** Every answer comes so late, in ms: `100`, `50..300` or `lognormal:120:0.5`. At once where absent. */
  latency?: number | string;
  /** Requests that the journal keeps. 1000 where absent. */
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
 * The options with their defaults.
 * @throws Error with a sentence about the option that is wrong
 */
export const readOptions = (options: MockOptions) => {
  refuseUnknownFields('a mock', options, mockOptionNames);
  const { seed = 1, orders = 120, licenseKeyPrefix = '', journalSize = 1000, latency, relativeDates = false } = options;
  wholeNumber('seed', seed, maxSeed);
  wholeNumber('journalSize', journalSize, 1_000_000, 1);
  if (typeof relativeDates !== 'boolean')
    throw new Error(`relativeDates must be true or false, not ${shown(relativeDates)}`);
  if (latency !== undefined) drawMs(latency, 0.5, 0.5, 'latency');
  const own = typeof orders === 'object' ? readOwnOrders([{ at: 'orders', value: orders }]) : undefined;
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
 * The settings of `set`, and those that have an option of their own.
 * @throws Error when a setting is given in both places
 */
export const settingsOf = ({ limit, window, windowMs, set }: MockOptions): SettingInput => {
  const own = Object.entries({ limit, window, windowMs }).filter(([, value]) => value !== undefined);
  const twice = own.find(([name]) => Object.hasOwn(set ?? {}, name));
  if (twice) throw new Error(`${twice[0]} is given twice: by itself and in set`);
  return { ...Object.fromEntries(own), ...set };
};
