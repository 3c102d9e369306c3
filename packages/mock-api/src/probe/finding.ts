/** What a probe observed about one open point. */
export type Finding =
  /** `set` contains the equivalent mock settings. */
  | { seen: string; set?: SettingValues }
  /** Why these answers don't show it. */
  | { unseen: string };

/** Settings as the command line takes them. */
export type SettingValues = Record<string, string>;

export const seen = (text: string, set?: SettingValues): Finding => (set ? { seen: text, set } : { seen: text });
export const unseen = (why: string): Finding => ({ unseen: why });

/** Returns the value that all share, or `undefined`. */
export const common = <Value>(values: readonly Value[]): Value | undefined =>
  values.length > 0 && new Set(values).size === 1 ? values[0] : undefined;

/** "1 answer", "2 answers". */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
