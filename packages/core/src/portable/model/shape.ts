/**
 * What an answer may show: the fields of an object, the elements of a list, or one value. A field that a shape does not
 * name is left out and counted, and a value in another form than its shape becomes `****`.
 */
export type Shape = { readonly [field: string]: Shape } | readonly [Shape] | ShowValue;

/** @returns what to show of a value that is neither null nor undefined; `fields` are those of the object it stands in */
export type ShowValue = (value: unknown, masker: Masker, fields: Readonly<Record<string, unknown>>) => unknown;

/** What the shapes ask while one answer is masked. */
export interface Masker {
  readonly hidesPersonalData: boolean;
  /** The text without license keys and personal data. */
  hideIn(text: string): string;
  /** Whether a value of a closed form is, or holds, a license key. */
  holds(text: string): boolean;
  showKey(value: unknown, isAccount: boolean): unknown;
  showUrl(value: unknown): unknown;
  hideValue(): string;
  hidePersonal(): string;
  hideAddress(): string;
}
