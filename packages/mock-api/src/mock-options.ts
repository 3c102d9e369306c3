import { readDelay } from './faults/fault.ts';
import type { KeysInput } from './orders/accounts.ts';
import type { OrderInput } from './orders/order-fields.ts';
import { maxSeed, maxSeededOrders } from './orders/seed.ts';
import { flag, type Given, isObject, optional, type Reader, text, whole } from './settings/check.ts';
import type { ProfileName, SettingInput } from './settings/profiles.ts';
import type { Settings } from './settings/settings.ts';

/** An option that is checked where it is used. */
const asGiven = <Value>() => optional((_, value) => value as Value);

/** The options of `createMock`, and how each is read; `listen` has them, too. */
export const optionReaders = {
  /**
   * A whole number below 2^31, from which orders and API keys are generated. The same options produce the same data,
   * byte for byte, unless they depend on the current time. Default: 1.
   */
  seed: optional(whole(0, maxSeed)),
  /**
   * Number of generated orders in the account `business`, 0 to 100000; the other accounts have at most as many.
   * Default: 120.
   *
   * Alternatively, your own orders or API responses (§4), which replace all orders of the account `business`; the
   * other accounts keep theirs.
   */
  orders: optional((name, value) =>
    typeof value === 'object' && value !== null ? value : whole(0, maxSeededOrders)(name, value),
  ) as Reader<number | OrderInput[] | object | undefined>,
  /**
   * Whether the newest generated order is from the 24 hours before the start, instead of from June 2026. Default:
   * `false`, so that the data is the same on any day.
   */
  relativeDates: optional(flag),
  /** API keys by name, of visible ASCII characters (§5.7). Omitted keys are generated from the seed. */
  keys: asGiven<KeysInput>(),
  /** Prefix of every generated license key, so that tests can search for leaks. Default: none. */
  licenseKeyPrefix: optional(text),
  /** The set of settings to start with. Default: `strict`. */
  profile: asGiven<ProfileName>(),
  /** Settings that override the profile, e.g. `{ limit: 'off', money: 'number' }`. */
  set: optional<SettingInput>((name, value) => {
    if (isObject(value)) return value;
    throw new Error(`${name} must be an object such as {"money": "number"}`);
  }),
  /** Requests per window for each key (§8), 1 to 1000000, or `off`; short for `set: { limit }`. Default: 60. */
  limit: asGiven<number | 'off'>(),
  /**
   * Which requests count toward the limit, and for how long; short for `set: { window }`. Default: the profile's, which
   * is `lockout` (§8) except in `adversarial`.
   */
  window: asGiven<Settings['window']>(),
  /** Length of the window, ms, at most a day; short for `set: { windowMs }`. Default: 60000. */
  windowMs: asGiven<number>(),
  /** Freezes the clock at this time: ms since 1970, or UTC like `2026-03-31 14:05:00`. Default: real time. */
  frozenAt: asGiven<number | string>(),
  /** Delay before every response of the API, ms, at most a day: `100` or `50..300`. Not with `frozenAt`. Default: 0. */
  latency: optional(readDelay),
  /**
   * Number of the newest requests that the journal keeps, 1 to 1000000. It also keeps up to 1000 older ones with
   * violations. Default: 1000.
   */
  journalSize: optional(whole(1, 1_000_000)),
};

/** The options of `createMock`; `listen` has them, too. */
export type MockOptions = Given<typeof optionReaders>;

/**
 * Returns the settings from `set` and from the separate options.
 * @throws Error if a setting is given both ways
 */
export const settingsOf = ({ limit, window, windowMs, set }: MockOptions): SettingInput => {
  const own = Object.entries({ limit, window, windowMs }).filter(([, value]) => value !== undefined);
  const twice = own.find(([name]) => set?.[name as keyof SettingInput] !== undefined);
  if (twice) throw new Error(`${twice[0]} is given twice: as an option and in set`);
  return { ...Object.fromEntries(own), ...set };
};
