import { changeSettings } from '../settings/profiles.ts';
import { type SettingName, type Settings, settingDefinitions } from '../settings/settings.ts';

/** A change of one setting. */
export interface Candidate {
  name: SettingName;
  settings: Settings;
}

export const settingNames = Object.keys(settingDefinitions) as SettingName[];

/** What the service shows where a mock differs: values for settings whose values can't be listed. */
export interface Shown {
  facts: readonly string[];
  /** Those that a mock doesn't have. Absent: any. */
  missing?: readonly string[];
  numbers: readonly number[];
  /** How much larger a number of the service is than that of the mock. */
  differences: readonly number[];
}

/** Returns the settings that differ from these in the value of one. */
export const candidatesFor = (settings: Settings, name: SettingName, shown: Shown): Candidate[] =>
  valuesFor(settings, name, shown).flatMap((value) => {
    if (String(value) === String(settings[name])) return [];
    const changed = changedBy(settings, name, value);
    return changed ? [{ name, settings: changed }] : [];
  });

/** `undefined` if the value contradicts another setting, or is a number that the setting cannot have. */
export const changedBy = (settings: Settings, name: SettingName, value: unknown): Settings | undefined => {
  try {
    return changeSettings(settings, { [name]: value });
  } catch {
    return undefined;
  }
};

/** A bucket refills while it is emptied, so one more request in it is more than one that passes. */
const near = [0, 1, 2, 3, 4, 5, 6];

const valuesFor = (settings: Settings, name: SettingName, shown: Shown): readonly unknown[] => {
  const setting = settingDefinitions[name];
  switch (setting.kind) {
    case 'choice':
      return setting.values;
    case 'number':
    case 'limit': {
      const { numbers, differences } = shown;
      const current = settings[name];
      const moved =
        typeof current === 'number'
          ? differences.flatMap((more) => [...near.map((n) => current + more + n), current + more * 1000])
          : [];
      // The probe asks again a second after a window may have ended.
      const seconds = numbers.flatMap((number) => [(number - 1) * 1000, number * 1000]);
      const off = setting.kind === 'limit' ? ['off'] : [];
      return [...new Set([setting.default, ...off, ...numbers, ...seconds, ...moved])];
    }
    case 'list': {
      const current: readonly string[] = settings[name] as readonly string[];
      if (!shown.missing) return [[setting.words?.[0] ?? 'null']];
      if (!setting.words) return [setting.default, wordsOf(name, shown.facts)];
      // These words are paths of fields, and so are the subjects of facts.
      const form = name === 'missing' ? 'absent' : 'null';
      const more = setting.words.filter((word) => shown.missing?.includes(`${word}: ${form}`));
      const less = current.filter((word) => shown.missing?.some((fact) => fact.startsWith(`${word}: `)));
      return [...more.map((word) => [...current, word]), ...less.map((word) => current.filter((one) => one !== word))];
    }
    case 'text':
      return [];
  }
};

/** The words of the field that a setting is named for. */
const wordsOf = (name: string, facts: readonly string[]): string[] =>
  facts.flatMap((fact) => {
    const [, value = ''] = fact.split(`.${name}: `);
    return value === 'null' || value.startsWith('"') ? [value.replaceAll('"', '')] : [];
  });
