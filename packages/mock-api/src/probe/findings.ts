import { isInRange } from '../settings/kinds.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import type { Facts } from './facts.ts';
import { another, notesOn } from './kit.ts';
import { type Row, statements, table } from './table.ts';

export type Findings = ReturnType<typeof findingsIn>;
/** How the API answers an open question. */
export type Point = Findings['points'][number];

const names = Object.keys(settingDefinitions) as SettingName[];

export const defaultOf = (name: SettingName): string => String(settingDefinitions[name].default);

export const findingsIn = (facts: Facts) => {
  const points = names.flatMap((name) => pointOf(name, fitsOf(name, facts)) ?? []);
  const changed = points.filter(({ setting, value = defaultOf(setting) }) => value !== defaultOf(setting));
  return {
    points,
    /** The statements of the API docs that the responses confirm or contradict, and the contradictions. */
    statements: statements.flatMap(([id, text, form]) => {
      const seen = facts.get(id)?.map(String);
      const service = [...new Set(seen?.filter((fact) => !form.test(fact)))];
      return seen ? { id, text, holds: service.length === 0, service } : [];
    }),
    /** The settings that the responses don't show. */
    notShown: names.filter((name) => points.every(({ setting }) => setting !== name)),
    /** The values that aren't the defaults. */
    set: Object.fromEntries(changed.map(({ setting, value = '' }) => [setting, value])),
  };
};

/** Returns, for each fact about a setting, the values that agree with it. */
const fitsOf = (name: SettingName, facts: Facts): string[][] => {
  const setting = settingDefinitions[name];
  const [forms, ...places] = (table[name] ?? []) as Partial<Row>;
  const seen = [name, ...places].flatMap((place) => facts.get(place as string) ?? []);
  if (setting.kind === 'number') return seen.map((fact) => (isInRange(setting, fact) ? [String(fact)] : []));
  if (!forms) return seen.map((fact) => [String(fact)]);
  return seen.flatMap((fact) => {
    const text = JSON.stringify(fact) ?? 'absent';
    const fits = Object.entries(forms).flatMap(([value, form]) => (form.test(text) ? value : []));
    // The settings `nulls` and `missing` are about null and absent, unless this setting has a value for them.
    return fits.length > 0 || !/^(null|absent)$/.test(text) ? [fits] : [];
  });
};

const pointOf = (setting: SettingName, fits: readonly string[][]) => {
  const [first] = fits;
  if (!first) return undefined;
  const value = first.find((one) => fits.every((values) => values.includes(one)));
  const found = value === undefined ? [...new Set(fits.map(([one = another]) => one))] : [value];
  return {
    /** The U-numbers, such as `U-05`. */
    id: settingDefinitions[setting].points,
    setting,
    /** The value with which the mock does the same; absent if no single value does. */
    ...(value !== undefined && { value }),
    /** The value, or else the values that each explain some of the responses, and `another`. */
    found,
    /** Whether the kit copes, and what a caller should know. */
    kit: notesOn(setting, found),
  };
};
