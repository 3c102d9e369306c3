import { changeSettings, createSettings, type ProfileName, type SettingInput } from './profiles.ts';
import type { Settings } from './settings.ts';

/** The settings of a mock, which can change while it runs. */
export interface CurrentSettings {
  settings(): Settings;
  profile(): ProfileName;
  set(settings: SettingInput): void;
  /** Keeps the current limit and the initial settings, unless `settings` changes them. */
  setProfile(profile: ProfileName, settings?: SettingInput): void;
  reset(): void;
}

/**
 * @param tls whether the mock serves only HTTPS
 * @throws Error that lists what is allowed; later changes throw it too
 */
export const createCurrentSettings = (
  initialProfile: ProfileName = 'strict',
  set: SettingInput,
  tls: boolean,
): CurrentSettings => {
  const checked = (next: Settings): Settings => {
    if (tls && next.httpsOnly !== 'off')
      throw new Error('httpsOnly is for plain HTTP, which a mock with TLS does not serve');
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
