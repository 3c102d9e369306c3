/**
 * A setting. `points` are the U-numbers of the open questions that it decides, separated by spaces; `about` is a
 * sentence that describes it in the help.
 */
export type Setting = ReturnType<
  typeof choice<readonly [string, ...string[]]> | typeof number<'off'> | typeof list | typeof text
>;

/** Defines a setting whose first value is the default. */
export const choice = <const Values extends readonly [string, ...string[]]>(
  points: string,
  values: Values,
  about: string,
) => ({
  kind: 'choice' as const,
  points,
  values: values as readonly Values[number][],
  default: values[0] as Values[number],
  about,
});

/** Defines a whole number from `min` to `max`, or `off`. */
export const number = <Off extends 'off' = never>(
  points: string,
  standard: number,
  [min, max, off]: [min: number, max: number, off?: Off],
  about: string,
) => ({
  kind: 'number' as const,
  points,
  default: standard as number | Off,
  min,
  max,
  /** `off` if the setting can also be off. */
  ...(off && { off }),
  about,
});

/** Whether a setting can have this number. */
export const isInRange = ({ min, max }: { min: number; max: number }, value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

export const text = (points: string, standard: string, about: string) => ({
  kind: 'text' as const,
  points,
  default: standard,
  about,
});

/** Defines a list of words: any words, or only those in `words`. */
export const list = (points: string, standard: readonly string[], about: string, words?: readonly string[]) => ({
  kind: 'list' as const,
  points,
  default: standard,
  about,
  ...(words && { words }),
});
