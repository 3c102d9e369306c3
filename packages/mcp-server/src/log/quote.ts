/** Quotes a value from outside as short printable ASCII, so that it can't forge a log line or control a terminal. */
export const quote = (value: unknown): string => escapeEach((JSON.stringify(value) ?? 'none').slice(0, 200), /[^ -~]/g);

/** Returns equivalent JSON without characters that end a line or control a terminal. */
export const onOneLine = (json: string): string => escapeEach(json, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu);

const escapeEach = (json: string, what: RegExp): string =>
  json.replace(what, (text) => text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
