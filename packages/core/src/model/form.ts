import { toDate } from './dates.ts';
import { readOrderId } from './order-id.ts';

/**
 * Describes a value of type `Value` as the API docs do. The value's type, schema and mask are derived from this
 * description.
 */
export interface Form<Value = unknown> {
  readonly type: 'integer' | 'string' | 'object' | 'list';
  /** A further condition on a value of this type. A string without a condition is free text. */
  readonly is?: (value: unknown) => boolean;
  /** The fields of the object, or of each element of the list. */
  readonly shape?: Shape;
  /** How to mask the value, if not like other values of this type. */
  readonly mask?: 'word' | 'orderNumber' | 'person' | 'licenseKey' | 'url' | 'address';
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

const matching = (pattern: RegExp): Form<string> => ({
  type: 'string',
  is: (value) => typeof value === 'string' && pattern.test(value),
});

export const integer: Form<number> = { type: 'integer', is: Number.isSafeInteger };
/**
 * An API may send order IDs as strings of digits. The next call needs them, so they are shown even if a license key
 * contains the same number.
 */
export const orderId: Form<number> = {
  type: 'integer',
  is: (value) => Number.isSafeInteger(value) || readOrderId(value) === value,
  mask: 'word',
};
export const text: Form<string> = { type: 'string' };
/** Words of license keys, such as a year, stay visible in it. */
export const orderNumber: Form<string> = { type: 'string', mask: 'orderNumber' };
/** One of these words, in any letter case. It stays visible even if a license key contains it. */
export const oneOf = <Value extends string>(words: readonly string[]): Form<Value> => ({
  type: 'string',
  is: (value) => typeof value === 'string' && words.includes(value.toLowerCase()),
  mask: 'word',
});
/** A decimal string with two fraction digits. */
export const amount = matching(/^-?\d{1,15}\.\d{2}$/);
/** An ISO 4217 code. */
export const currency = matching(/^[A-Z]{3}$/);
/** Allows February 30, because reading the date takes much longer; days up to the 28th always exist. */
const isoTime = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]) ([01]\d|2[0-3])(:[0-5]\d){2}$/;
/** `YYYY-MM-DD HH:MM:SS` */
export const timestamp: Form<string> = {
  type: 'string',
  is: (value) =>
    typeof value === 'string' && isoTime.test(value) && (value.slice(8, 10) < '29' || toDate(value) !== null),
};
/** `<major>.<minor>` */
export const version = matching(/^\d{1,5}\.\d{1,5}$/);
/** Text about a person. */
export const person: Form<string> = { type: 'string', mask: 'person' };
export const licenseKey: Form<string> = { type: 'string', mask: 'licenseKey' };
export const downloadUrl: Form<string> = { type: 'string', mask: 'url' };
/** A billing address. The API docs do not name its fields. */
export const address: Form<Record<string, unknown> | unknown[]> = { type: 'object', mask: 'address' };

export const listOf = <Element>(shape: Shape): Form<Element[]> => ({ type: 'list', shape });
export const objectOf = <Value>(shape: Shape): Form<Value> => ({ type: 'object', shape });

export const nullable = <Value>({ value: _, ...form }: Form<Value>): Form<Value | null> => ({
  ...form,
  nullable: true,
});
export const optional = <Value>(form: Form<Value>): Form<Value> & { optional: true } => ({ ...form, optional: true });
