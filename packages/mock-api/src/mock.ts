import type { Clock } from './clock.ts';
import type { PlainKeys } from './data/accounts.ts';
import type { Samples } from './data/samples.ts';
import type { State } from './data/state.ts';
import type { Faults } from './faults/rules.ts';
import type { WebFetch } from './fetch-adapter.ts';
import type { Journal } from './journal/journal.ts';
import type { Scenarios } from './scenarios/scenarios.ts';
import type { ProfileName, SettingInput } from './settings/profiles.ts';
import type { Settings } from './settings/settings.ts';

/** One mock service: its state is its own, so two mocks in one process never meet. */
export interface Mock {
  /** The plain keys that the mock was made with. They are kept for the caller only; the state holds hashes. */
  keys: PlainKeys;
  state: State;
  /** Seeded orders for one case each, e.g. `samples.partlyDelivered.id`. */
  samples: Samples;
  clock: Clock;
  journal: Journal;
  faults: Faults;
  scenarios: Scenarios;
  /** The settings in force. */
  settings(): Settings;
  /** The name of the profile in force, under the single settings. */
  profile(): ProfileName;
  /** Changes single settings from the next request on. @throws Error that says what is allowed */
  set(settings: SettingInput): void;
  /**
   * Changes to another profile, with single settings over it. The limit in force and the settings that the mock was
   * created with stay as they are, unless `settings` names them. @throws Error that says what is allowed
   */
  setProfile(profile: ProfileName, settings?: SettingInput): void;
  /**
   * Answers as the global fetch would, without a server. Only path and query of the address count.
   * @throws Error for a fault that breaks the wire: fetch cannot show that
   */
  fetch: WebFetch;
  /**
   * Back to how the mock was made: state, settings, limits, faults, scenarios, journal, clock. Delayed answers leave at
   * once.
   */
  reset(): void;
}
