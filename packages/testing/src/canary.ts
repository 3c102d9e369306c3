/** Secrets planted in a mock: its API key, and the start of every license key. */
export const plantedKey = 'CANARY-api-key-9f31c7';
export const plantedLicense = 'CANARY-license-';

/**
 * Returns everything that a value exposes when it is inspected in the usual ways: text, JSON, stack and all own fields.
 */
export const everythingOf = (value: unknown, depth = 0): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > 5) return '';
  const isError = value instanceof Error;
  const text = isError || depth === 0 ? `${isError ? value.stack : ''} ${JSON.stringify(value)}` : '';
  const fields = Reflect.ownKeys(value).map(
    (key) => `${String(key)}: ${everythingOf(Reflect.get(value, key), depth + 1)}`,
  );
  return [text, ...fields].join('\n');
};

/** @throws Error if `value` (an error, a log, an event) contains a planted key */
export const refuseSecrets = (value: unknown): void => {
  const text = everythingOf(value);
  for (const secret of [plantedKey, plantedLicense]) {
    if (text.includes(secret)) throw new Error(`A planted key leaked: ${text.slice(0, 500)}`);
  }
};

/** Collects all output of a run and searches it at the end. */
export interface Canary {
  /** Records a requested result, which may contain license keys. */
  answer(value: unknown): void;
  /** Records any other output: errors, logs, events, states, journals. */
  other(value: unknown): void;
  /**
   * Returns the length of all output, whether results contained license keys, and each place where a planted key
   * leaked.
   */
  search(): { characters: number; licensesInAnswers: boolean; leaks: string[] };
}

export const createCanary = (): Canary => {
  const leaks: string[] = [];
  let characters = 0;
  let licensesInAnswers = false;
  const note = (text: string, words: readonly string[]) => {
    characters += text.length;
    for (const word of words) if (text.includes(word)) leaks.push(text.slice(Math.max(0, text.indexOf(word) - 200)));
  };
  return {
    answer(value) {
      const text = everythingOf(value);
      if (text.includes(plantedLicense)) licensesInAnswers = true;
      note(text, [plantedKey]);
    },
    other: (value) => note(everythingOf(value), [plantedKey, plantedLicense]),
    search: () => ({ characters, licensesInAnswers, leaks }),
  };
};
