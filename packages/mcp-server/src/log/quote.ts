/** A value from outside as one short piece of printable ASCII, which cannot forge a line or confuse a terminal. */
export const quote = (value: unknown): string =>
  (JSON.stringify(value) ?? 'none')
    .slice(0, 200)
    .replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
