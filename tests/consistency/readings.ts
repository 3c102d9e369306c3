import { type BundleName, bundleNames, type SettingInput, type SettingName, settings } from '@order-license/mock-api';

export interface Reading {
  /** The open points it answers. */
  points: string;
  label: string;
  set: SettingInput;
}

/** Values for settings that are no choice of words. */
const samples: Partial<Record<SettingName, readonly (string | number)[]>> = {
  perPageMax: [7],
  windowMs: [1],
  limit: [1_000_000],
  keepAliveMs: [0, 1],
  errorText: ['Etwas ging schief: „ü“ 🙂'],
  zahlungsstatus: ['null', 'überfällig,teilbezahlt,null'],
  lieferstatus: ['null', 'in_bearbeitung,null,versendet'],
  order: ['auth,params,path,limit,business', 'path,params,auth,business,limit'],
};

const valuesOf = (name: SettingName): readonly (string | number)[] => {
  const setting = settings[name];
  if (setting.kind === 'choice') return setting.values.filter((value) => value !== setting.default);
  const values = samples[name] ?? ('words' in setting ? setting.words : undefined);
  if (!values) throw new Error(`The setting ${name} is new; give it a sample.`);
  return values;
};

/** Every alternative of every setting of the mock, one at a time. */
export const readings: readonly Reading[] = (Object.keys(settings) as SettingName[]).flatMap((name) =>
  valuesOf(name).map((value) => {
    return { points: settings[name].points, label: `${name}=${value}`, set: { [name]: value } as SettingInput };
  }),
);

export interface Bundle {
  label: string;
  bundle: BundleName;
  set: SettingInput;
}

/** All of a bundle at once. The hostile one with a list that stands still, and with ids that can be held or cannot. */
export const bundles: readonly Bundle[] = [
  ...bundleNames.map((bundle): Bundle => ({ label: bundle, bundle, set: { tieBreak: 'idDesc' } })),
  { label: 'hostile, but ids that can be held', bundle: 'hostile', set: { tieBreak: 'idDesc', ids: 'safe' } },
];
