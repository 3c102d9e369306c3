import { everythingOf } from '../everything-of.ts';

/** Planted in the service: the API key, and what stands before every license key. */
export const plantedKey = 'CANARY-api-key-9f31c7';
export const plantedLicense = 'CANARY-license-';

/** Everything that anything said, for the search at the end. */
export interface Canary {
  /** Answers that were asked for: they may hold license keys. */
  answer(value: unknown): void;
  /** Whatever else there is: errors, logs, events, states, journals. */
  other(value: unknown): void;
  /** Length of all texts, and which planted word was found where it may not be. */
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
