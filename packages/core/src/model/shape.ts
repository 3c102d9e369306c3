/**
 * What an answer may show: the fields of an object, the elements of a list, or one value. Fields not in the shape are
 * left out and counted; values that do not match it become `****`.
 */
export type Shape = { readonly [field: string]: Shape } | readonly [Shape] | ShowValue;

/** @returns what to show of a value that is neither null nor undefined; `fields` are those of its object */
export type ShowValue = (value: unknown, masker: Masker, fields: Readonly<Record<string, unknown>>) => unknown;

/** State shared while one answer is masked. */
export interface Masker {
  readonly hidesPersonalData: boolean;
  /** The string without license keys and personal data. */
  hideIn(text: string): string;
  /** Whether a value of a fixed format is, or contains, a license key. */
  holds(text: string): boolean;
  showKey(value: unknown, isAccount: boolean): unknown;
  showUrl(value: unknown): unknown;
  hideValue(): string;
  hidePersonal(): string;
  hideAddress(): string;
}
