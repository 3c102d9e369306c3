/** Quotes a value from outside as short printable ASCII, so that it can't forge a log line or control a terminal. */
export const quote = (value: unknown): string =>
  (JSON.stringify(value) ?? 'none').slice(0, 200).replace(/[^ -~]/g, escapeText);

/** Returns characters as JSON escapes. */
export const escapeText = (text: string): string =>
  text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
