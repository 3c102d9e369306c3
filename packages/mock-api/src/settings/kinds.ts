/** The definition of a setting. */
interface SettingBase<Value> {
  /** Numbers of the open questions that it answers, separated by spaces. */
  points: string;
  default: Value;
  /** One sentence for the help. */
  about: string;
}
export interface Choice<Value extends string = string> extends SettingBase<Value> {
  kind: 'choice';
  values: readonly Value[];
}
export interface NumberSetting extends SettingBase<number> {
  kind: 'number';
  min: number;
  max: number;
}
export interface LimitSetting extends SettingBase<number | 'off'> {
  kind: 'limit';
  min: number;
  max: number;
}
export interface ListSetting extends SettingBase<readonly string[]> {
  kind: 'list';
  /** The allowed words. Default: any word. */
  words?: readonly string[];
}
export interface TextSetting extends SettingBase<string> {
  kind: 'text';
}
export type Setting = Choice | NumberSetting | LimitSetting | ListSetting | TextSetting;

/** Defines a setting whose first value is the default. */
export const choice = <const Values extends readonly [string, ...string[]]>(
  points: string,
  values: Values,
  about: string,
): Choice<Values[number]> => ({ kind: 'choice', points, values, default: values[0], about });

/** Defines a whole number from `min` to `max`. */
export const number = (
  points: string,
  standard: number,
  [min, max]: [number, number],
  about: string,
): NumberSetting => ({ kind: 'number', points, default: standard, min, max, about });

/** Defines a whole number from `min` to `max`, or `off`. */
export const limit = (points: string, standard: number, [min, max]: [number, number], about: string): LimitSetting => ({
  kind: 'limit',
  points,
  default: standard,
  min,
  max,
  about,
});

export const text = (points: string, standard: string, about: string): TextSetting => ({
  kind: 'text',
  points,
  default: standard,
  about,
});

/** Defines a list of any words, or only of `words`. */
export const list = (
  points: string,
  standard: readonly string[],
  about: string,
  words?: readonly string[],
): ListSetting => ({ kind: 'list', points, default: standard, about, ...(words ? { words } : {}) });
