import { oneOf } from './check.ts';

/**
 * A setting. `points` are the U-numbers of the open questions that it decides, separated by spaces; `about` is a
 * sentence that describes it in the help, and `allowed` lists its values there, the default first; `read` reads a value,
 * which can be a string or have its own type.
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
  allowed: () => values.join('|'),
  read: (name: string, value: unknown) =>
    oneOf(values)(name, typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)),
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
  allowed: () => `${standard} (${min} to ${max}${off ? ', or off' : ''})`,
  read(name: string, value: unknown) {
    if (off && (value === off || value === false)) return off;
    const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
    if (isInRange({ min, max }, count)) return count;
    throw new Error(`${name} must be a whole number from ${min} to ${max}${off ? ', or off' : ''}, not "${value}"`);
  },
});

/** Whether a setting can have this number. */
export const isInRange = ({ min, max }: { min: number; max: number }, value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max;

export const text = (points: string, standard: string, about: string) => ({
  kind: 'text' as const,
  points,
  default: standard,
  about,
  allowed: () => standard || 'any text',
  read: (_: string, value: unknown) => String(value),
});

/** Defines a list of words: any words, or only those in `words`. */
export const list = (points: string, standard: readonly string[], about: string, words?: readonly string[]) => ({
  kind: 'list' as const,
  points,
  default: standard,
  about,
  ...(words && { words }),
  allowed: () => standard.join(',') || 'none (a comma-separated list)',
  read(name: string, value: unknown) {
    const given = Array.isArray(value) ? value.map(String) : String(value).split(',').filter(Boolean);
    const wrong = given.find((word) => words && !words.includes(word));
    if (wrong !== undefined) throw new Error(`${name} can contain only ${words?.join(', ')}, not "${wrong}"`);
    return given;
  },
});
