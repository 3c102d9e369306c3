import {
  type ProfileName,
  profileNames,
  type SettingInput,
  type SettingName,
  settingDefinitions,
} from '@order-license/mock-api';

/** One setting of the mock with one value. */
export interface SettingCase {
  /** The U numbers that the setting covers, such as `U-02 U-05`. */
  points: string;
  /** `name=value`. */
  label: string;
  set: SettingInput;
}

/** Values for settings with an infinite range. */
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
  if (!values) throw new Error(`The setting ${name} is new; give it a sample.`);
  return values;
};

/** Every non-default value of every setting, one at a time. */
export const settingCases: readonly SettingCase[] = (Object.keys(settingDefinitions) as SettingName[]).flatMap((name) =>
  valuesOf(name).map((value) => {
    return {
      points: settingDefinitions[name].points,
      label: `${name}=${value}`,
      set: { [name]: value } as SettingInput,
    };
  }),
);

/** A profile of the mock, with settings on top. */
export interface ProfileCase {
  label: string;
  profile: ProfileName;
  set: SettingInput;
}

/** Every profile with a list in a stable order; the adversarial profile also with IDs that fit into a number. */
export const profileCases: readonly ProfileCase[] = [
  ...profileNames.map((profile): ProfileCase => ({ label: profile, profile, set: { tieBreak: 'idDesc' } })),
  { label: 'adversarial, with safe IDs', profile: 'adversarial', set: { tieBreak: 'idDesc', ids: 'safe' } },
];
