import { isObject } from '../base/checks.ts';
import { toDate } from './dates.ts';
import { readOrderId } from './order-id.ts';

/**
 * Describes a value of type `Value` as the API docs do. The value's type, schema and mask are derived from this
 * description.
 */
export interface Form<Value = unknown> {
  /** Whether a value has a documented type and form; says nothing about its fields or elements. */
  readonly is: (value: unknown) => boolean;
  /** Undocumented values that masking shows nevertheless. */
  readonly shows?: (value: unknown) => boolean;
  /** The fields of an object. */
  readonly shape?: Shape;
  /** The form of each element of a list. */
  readonly element?: Form;
  /** How to mask a value. By default, a value that `is` accepts is shown unless it contains a long license key. */
  readonly mask?: 'text' | 'word' | 'orderNumber' | 'licenseKey' | 'url' | 'address';
  readonly nullable?: true;
  /** Whether the field may be absent. */
  readonly optional?: true;
  /** Never set; only carries the type. */
  readonly value?: Value;
}

/** The documented fields of an object. */
export interface Shape {
  readonly [name: string]: Form;
}

/** The type of an object with these fields. */
export type ObjectOf<Documented> = {
  [Name in keyof Documented as Documented[Name] extends { optional: true } ? never : Name]: ValueOf<Documented[Name]>;
} & {
  [Name in keyof Documented as Documented[Name] extends { optional: true } ? Name : never]?:
    | ValueOf<Documented[Name]>
    | undefined;
};

export type ValueOf<Documented> = Documented extends Form<infer Value> ? Value : never;

const matching = <Value extends string = string>(pattern: RegExp): Form<Value> => ({
  is: (value) => typeof value === 'string' && pattern.test(value),
});

export const integer: Form<number> = { is: Number.isSafeInteger };
/**
 * An API may send order IDs as strings of digits. The next call needs them, so they are shown even if a license key
 * contains the same number.
 */
export const orderId: Form<number> = { ...integer, shows: (value) => readOrderId(value) === value, mask: 'word' };
/** Free text. */
export const text: Form<string> = { is: (value) => typeof value === 'string', mask: 'text' };
/** An order number stays visible even if it contains a word of a license key, such as a year. */
export const orderNumber: Form<string> = { ...text, mask: 'orderNumber' };
export const licenseKey: Form<string> = { ...text, shows: (value) => typeof value === 'number', mask: 'licenseKey' };
export const downloadUrl: Form<string> = { ...text, mask: 'url' };
/** One of these words, in any letter case. The word stays visible even if a license key contains it. */
export const oneOf = <Value extends string>(words: readonly string[]): Form<Value> => ({
  ...matching<Value>(new RegExp(`^(?:${words.join('|')})$`, 'i')),
  mask: 'word',
});
/** A decimal string with two fraction digits. */
export const amount = matching(/^-?\d{1,15}\.\d{2}$/);
/** An ISO 4217 code. */
export const currency = matching(/^[A-Z]{3}$/);
/** `<major>.<minor>` */
export const version = matching(/^\d{1,5}\.\d{1,5}$/);
const isoTime = matching(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3])(:[0-5]\d){2}$/);
/** `YYYY-MM-DD HH:MM:SS`. Only days after the 28th are parsed, because all others exist and parsing is slow. */
export const timestamp: Form<string> = {
  ...isoTime,
  is: (value) => isoTime.is(value) && (String(value).slice(8, 10) < '29' || toDate(value) !== null),
};
/** A billing address. The API docs do not name its fields. */
export const address: Form<Record<string, unknown> | unknown[]> = { is: isObject, mask: 'address' };

export const objectOf = <Value>(shape: Shape): Form<Value> => ({ is: isObject, shape });
export const listOf = <Element>(shape: Shape): Form<Element[]> => ({
  is: Array.isArray,
  element: objectOf(shape),
});

export const nullable = <Value>(form: Form<Value>): Form<Value | null> => ({ ...form, nullable: true });
export const optional = <Value>(form: Form<Value>): Form<Value> & { optional: true } => ({ ...form, optional: true });
