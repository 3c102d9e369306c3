import { changeSettings, createSettings, type ProfileName, type SettingInput } from './profiles.ts';
import type { Settings } from './settings.ts';

/**
 * Creates the settings of a mock, which can change while it runs.
 * @param tls whether the mock serves only HTTPS
 * @throws Error that lists what is allowed; invalid changes throw the same error
 */
export const createCurrentSettings = (initialProfile: ProfileName = 'strict', set: SettingInput, tls: boolean) => {
  const checked = (next: Settings): Settings => {
    if (tls && next.httpsOnly !== 'off')
      throw new Error('httpsOnly cannot be set with TLS, because the mock then serves only HTTPS; remove httpsOnly');
    return next;
  };
  const initial = checked(createSettings(initialProfile, set));
  let settings = initial;
  let profile = initialProfile;
  return {
    settings: (): Settings => settings,
    profile: (): ProfileName => profile,
    set(changes: SettingInput): void {
      settings = checked(changeSettings(settings, changes));
    },
    /** Switches the profile. Keeps the current limit and the initial settings, unless `changes` overrides them. */
    setProfile(name: ProfileName, changes: SettingInput = {}): void {
      const base = createSettings(name, { ...set, limit: settings.limit });
      settings = checked(changeSettings(base, changes));
      profile = name;
    },
    reset(): void {
      settings = initial;
      profile = initialProfile;
    },
  };
};
