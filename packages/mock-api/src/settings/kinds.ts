interface SettingBase<Value> {
  /** The U-numbers of the open questions that the setting decides, separated by spaces. */
  points: string;
  default: Value;
  /** A sentence that describes the setting in the help. */
  about: string;
}
export interface Choice<Value extends string = string> extends SettingBase<Value> {
  kind: 'choice';
  values: readonly Value[];
}
export interface NumberSetting<Off extends 'off' = 'off'> extends SettingBase<number | Off> {
  kind: 'number';
  min: number;
  max: number;
  /** `off` if the setting can also be off. */
  off?: Off;
}
/** Whether a setting can have this number. */
export const isInRange = ({ min, max }: NumberSetting, value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

export interface ListSetting extends SettingBase<readonly string[]> {
  kind: 'list';
  /** The allowed words. Default: any word. */
  words?: readonly string[];
}
export interface TextSetting extends SettingBase<string> {
  kind: 'text';
}
export type Setting = Choice | NumberSetting | ListSetting | TextSetting;

/** Defines a setting whose first value is the default. */
export const choice = <const Values extends readonly [string, ...string[]]>(
  points: string,
  values: Values,
  about: string,
): Choice<Values[number]> => ({ kind: 'choice', points, values, default: values[0], about });

/** Defines a whole number from `min` to `max`, or `off`. */
export const number = <Off extends 'off' = never>(
  points: string,
  standard: number,
  [min, max, off]: [min: number, max: number, off?: Off],
  about: string,
): NumberSetting<Off> => ({ kind: 'number', points, default: standard, min, max, ...(off && { off }), about });

export const text = (points: string, standard: string, about: string): TextSetting => ({
  kind: 'text',
  points,
  default: standard,
  about,
});

/** Defines a list of words: any words, or only those in `words`. */
export const list = (
  points: string,
  standard: readonly string[],
  about: string,
  words?: readonly string[],
): ListSetting => ({ kind: 'list', points, default: standard, about, ...(words ? { words } : {}) });
