import {
  type ProfileName,
  profileNames,
  type SettingInput,
  type SettingName,
  settingDefinitions,
} from '@order-license/mock-api';

/** One mock setting with one value. */
export interface SettingCase {
  /** The U-numbers that the setting covers, such as `U-02 U-05`. */
  points: string;
  /** The setting as `name=value`. */
  label: string;
  set: SettingInput;
}

/** Values to test for settings that accept any text or number. */
const samples: Partial<Record<SettingName, readonly (string | number)[]>> = {
  perPageMax: [7],
  windowMs: [1],
  limit: [1_000_000],
  errorText: ['Etwas ging schief: „ü“ 🙂'],
  zahlungsstatus: ['null', 'überfällig,teilbezahlt,null'],
  lieferstatus: ['null', 'in_bearbeitung,null,versendet'],
};

const valuesOf = (name: SettingName): readonly (string | number)[] => {
  const setting = settingDefinitions[name];
  if (setting.kind === 'choice') return setting.values.filter((value) => value !== setting.default);
  const values = samples[name] ?? ('words' in setting ? setting.words : undefined);
  if (!values) throw new Error(`The setting ${name} has no sample value; add one.`);
  return values;
};

/** One case for each non-default value of each setting. */
export const settingCases: readonly SettingCase[] = (Object.keys(settingDefinitions) as SettingName[]).flatMap((name) =>
  valuesOf(name).map((value) => {
    return {
      points: settingDefinitions[name].points,
      label: `${name}=${value}`,
      set: { [name]: value } as SettingInput,
    };
  }),
);

/** A mock profile with additional settings. */
interface ProfileCase {
  label: string;
  profile: ProfileName;
  set: SettingInput;
}

/**
 * Every profile with a stable list order. The adversarial profile occurs a second time with IDs that a JavaScript
 * number can represent exactly.
 */
export const profileCases: readonly ProfileCase[] = [
  ...profileNames.map((profile): ProfileCase => ({ label: profile, profile, set: { tieBreak: 'idDesc' } })),
  { label: 'adversarial, with safe IDs', profile: 'adversarial', set: { tieBreak: 'idDesc', ids: 'safe' } },
];
