import { changeSettings, createSettings, type ProfileName, type SettingInput } from './profiles.ts';
import type { Settings } from './settings.ts';

/** The settings of one mock, which change while it runs. */
export interface CurrentSettings {
  settings(): Settings;
  profile(): ProfileName;
  set(settings: SettingInput): void;
  /** The limit in force and the initial settings outlast the change, unless `settings` names them. */
  setProfile(profile: ProfileName, settings?: SettingInput): void;
  reset(): void;
}

/**
 * @param tls whether plain HTTP is served at all
 * @throws Error that says what is allowed, like all changes later on
 */
export const createCurrentSettings = (
  initialProfile: ProfileName = 'strict',
  set: SettingInput,
  tls: boolean,
): CurrentSettings => {
  const checked = (next: Settings): Settings => {
    if (tls && next.httpsOnly !== 'off') throw new Error('httpsOnly is about plain HTTP, and with TLS there is none');
    return next;
  };
  const initial = checked(createSettings(initialProfile, set));
  let settings = initial;
  let profile = initialProfile;
  return {
    settings: () => settings,
    profile: () => profile,
    set(changes) {
      settings = checked(changeSettings(settings, changes));
    },
    setProfile(name, changes = {}) {
      const base = createSettings(name, { ...set, limit: settings.limit });
      settings = checked(changeSettings(base, changes));
      profile = name;
    },
    reset() {
      settings = initial;
      profile = initialProfile;
    },
  };
};
