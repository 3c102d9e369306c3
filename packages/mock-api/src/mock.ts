import type { Scenarios } from './control/scenarios.ts';
import type { Faults } from './faults/rules.ts';
import type { Journal } from './journal/journal.ts';
import type { Clock } from './limit/clock.ts';
import type { PlainKeys } from './orders/accounts.ts';
import type { Samples } from './orders/samples.ts';
import type { State } from './orders/state.ts';
import type { WebFetch } from './server/web-fetch.ts';
import type { ProfileName, SettingInput } from './settings/profiles.ts';
import type { Settings } from './settings/settings.ts';

/** A mock of the API. Each mock has its own state, so several can run in one process. */
export interface Mock {
  /** The initial API keys. The state contains only their hashes. */
  keys: PlainKeys;
  state: State;
  /** Generated orders for cases that clients often mishandle, e.g. `samples.partlyDelivered.id`. */
  samples: Samples;
  clock: Clock;
  journal: Journal;
  faults: Faults;
  scenarios: Scenarios;
  /** Returns the current settings. */
  settings(): Settings;
  /** Returns the name of the current profile. */
  profile(): ProfileName;
  /** Changes individual settings from the next request on. @throws Error that lists what is allowed */
  set(settings: SettingInput): void;
  /**
   * Switches to a different profile from the next request on. Keeps the current limit and the initial settings unless
   * `settings` changes them.
   * @throws Error that lists what is allowed
   */
  setProfile(profile: ProfileName, settings?: SettingInput): void;
  /**
   * Works like the global fetch, without a server. Uses only the path and query of the URL.
   * @throws Error for a fault that breaks the connection, since this fetch has no connection
   */
  fetch: WebFetch;
  /**
   * Resets state, settings, limits, faults, scenarios, journal and clock. Delayed responses are sent immediately.
   */
  reset(): void;
}
