import { isInRange } from '../settings/kinds.ts';
import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import type { Facts } from './facts.ts';
import { another, notesOn } from './kit.ts';
import { type Row, statements, table } from './table.ts';

/** What the API does about an open question. */
export interface Point {
  /** The U-numbers, such as `U-05`. */
  id: string;
  setting: SettingName;
  /** The value of the setting that does the same; absent if no single value does. */
  value?: string;
  /** The value, or else the values that each do a part of it, and `another` form. */
  found: string[];
  /** Whether the kit copes, and what a caller should know. */
  kit: string;
}

export interface Findings {
  points: Point[];
  /** The statements of the API docs that the responses show, whether they hold, and what contradicts them. */
  statements: { id: string; text: string; holds: boolean; service: string[] }[];
  /** The settings that the responses don't show. */
  notShown: SettingName[];
  /** The values that aren't the defaults. */
  set: Record<string, string>;
}

const names = Object.keys(settingDefinitions) as SettingName[];

export const defaultOf = (name: SettingName): string => String(settingDefinitions[name].default);

export const findingsIn = (facts: Facts): Findings => {
  const points = names.flatMap((name) => pointOf(name, fitsOf(name, facts)) ?? []);
  return {
    points,
    statements: statements.flatMap(([id, text, form]) => {
      const seen = facts.get(id)?.map(String);
      const service = [...new Set(seen?.filter((fact) => !form.test(fact)))];
      return seen ? { id, text, holds: service.length === 0, service } : [];
    }),
    notShown: names.filter((name) => points.every(({ setting }) => setting !== name)),
    set: Object.fromEntries(
      points.flatMap(({ setting, value }) =>
        value === undefined || value === defaultOf(setting) ? [] : [[setting, value]],
      ),
    ),
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

const pointOf = (setting: SettingName, fits: readonly string[][]): Point | undefined => {
  if (fits.length === 0) return undefined;
  const value = fits[0]?.find((one) => fits.every((values) => values.includes(one)));
  const found = value === undefined ? [...new Set(fits.map(([first = another]) => first))] : [value];
  return {
    id: settingDefinitions[setting].points,
    setting,
    ...(value !== undefined && { value }),
    found,
    kit: notesOn(setting, found),
  };
};
