/** A value from outside as one short piece of printable ASCII, which cannot forge a line or confuse a terminal. */
export const quote = (value: unknown): string => escapeEach((JSON.stringify(value) ?? 'none').slice(0, 200), /[^ -~]/g);

/** JSON that says the same, without what some programs take for the end of a line, and what a terminal obeys. */
export const onOneLine = (json: string): string => escapeEach(json, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu);

const escapeEach = (json: string, what: RegExp): string =>
  json.replace(what, (text) => text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
