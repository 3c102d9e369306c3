import { readDate, utcText } from '../limit/utc-time.ts';
import { oneOf, type Reader, shown, whole } from '../settings/check.ts';
import { type Json, numberText, textOf, wholeNumber } from '../settings/json.ts';
import { type CodeDraft, keyText, urlOf } from './license-codes.ts';
import type { FullOrder, Listed } from './make-order.ts';
import { centsOf, money } from './money.ts';
import { type CodeType, codeTypes, isEligible, type Status, statuses } from './statuses.ts';

/** A field: where it is served, how it is generated, and what is checked. */
export interface Field<Value = unknown, Draft = never> {
  /** The only document that has the field; `input` if no response has it. Absent: list entry and detail have it. */
  in?: 'list' | 'detail' | 'input';
  /** The value in the example of `GET /__mock`. */
  example?: unknown;
  /** Generates a missing value. In an order, each time it is shown, so that the value follows later changes. */
  made?(draft: Draft): unknown;
  /** Whether a value has the form in the API docs. Any other value is served, with a warning. */
  isUsual?(value: unknown): boolean;
  /** Checks a value that the mock depends on. */
  read?: Reader<unknown>;
  /** The fields of the objects in a list. */
  each?: Fields;
  /** For TypeScript only: the type of a given value. */
  type?: Value;
}
export type Fields = Readonly<Record<string, Field>>;

/** A documented word, or any other text, which is served unchanged. */
type Word<Known extends string> = Known | (string & {}) | null;
type Text = string | null;
type Amount = string | number | null;
type Id = number | string;
type InputOf<Table> = {
  [Name in keyof Table]?: Table[Name] extends Field<infer Value, never> ? Value | undefined : never;
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean => typeof value === 'string' && /^-?\d+\.\d\d$/.test(value);
const isNumber = (value: unknown): boolean => typeof wholeNumber(value) === 'number';
const isWordOf = (words: readonly string[]) => (value: unknown) => words.includes(value as string);

const readId: Reader<number> = (name, id) => {
  const digits = typeof id === 'string' ? id : (numberText(wholeNumber(id)) ?? '');
  if (/^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
  throw new Error(`${name} must be a whole number from 1 to 2^53 - 1, as a number or a string, not ${shown(id)}`);
};

/** The download URLs of an item's codes; `all` cycles through every combination. */
const downloadKinds = ['both', 'only64', 'only32', 'none', 'all'] as const;

/** The price of an item without one. */
const standardPrice = '249.00';

/** Seeded orders have IDs from here on. */
export const firstId = 10_001;

/** Generates an order number such as `B-2026-000042`, which is unique across accounts. */
export const numberOf = ({ id, createdAt }: Listed): string => {
  // Inserted orders can have IDs below `firstId`; a different letter keeps their numbers unique.
  const [letter, run] = id < firstId ? ['A', id] : ['B', id - firstId + 1];
  return `${letter}-${new Date(createdAt).getUTCFullYear()}-${String(run).padStart(6, '0')}`;
};

/** Returns the quantity of an item; an unreadable one counts as 1. */
export const quantityOf = ({ menge }: Json): number => {
  const digits = textOf(menge);
  return /^-?\d{1,15}$/.test(digits) ? Number(digits) : 1;
};

/** Returns the sum of the items, in cents. An unreadable price counts as the standard one. */
const totalOf = (items: readonly Json[]): bigint => {
  let cents = 0n;
  for (const item of items)
    cents += (centsOf(item.einzelpreis_brutto) ?? (centsOf(standardPrice) as bigint)) * BigInt(quantityOf(item));
  return cents;
};

const codeField = <Value>(field: Field<Value, CodeDraft>) => field;
const itemField = <Value>(field: Field<Value, { id: number }>) => field;
const orderField = <Value>(field: Field<Value, FullOrder>) => field;

/** The fields of a license code (§2.6). */
export const codeFields = {
  id: codeField<Id>({ example: 1, made: ({ id }) => id }),
  license_key: codeField<Text>({ example: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE', made: keyText, isUsual: isText }),
  /** Default: the item's. */
  code_typ: codeField<Word<CodeType>>({ example: 'retail', isUsual: isWordOf(codeTypes) }),
  download_url_64: codeField<Text>({
    example: 'https://downloads.example.test/setup-x64.exe',
    made: (draft) => urlOf(draft, 'x64'),
    isUsual: isText,
  }),
  download_url_32: codeField<Text>({ example: null, made: (draft) => urlOf(draft, 'x86'), isUsual: isText }),
  /** Default: the item's. */
  aktivierungen_bestellung: codeField<Id | null>({ example: 1, isUsual: isNumber }),
};
export type CodeInput = InputOf<typeof codeFields>;

/** The fields of an item (§2.5). Those in `input` describe how its missing codes are generated. */
export const itemFields = {
  id: itemField<Id>({ example: 1, made: ({ id }) => id }),
  product_name: itemField<Text>({
    example: 'Büro Suite 2026 Professional',
    made: () => 'Büro Suite 2026 Professional',
  }),
  menge: itemField<Id | null>({ example: 1, made: () => 1, isUsual: isNumber }),
  einzelpreis_brutto: itemField<Amount>({ example: '249.00', made: () => standardPrice, isUsual: isAmount }),
  /**
   * The codes, or the number of codes to generate. Default: one per unit, or one for all units if the type is `volumen`.
   * The codes are served once the order is paid or completed. If the order is given in any other status, an empty list
   * or `null` means the default.
   */
  license_codes: itemField<CodeInput[] | number | null>({
    made: () => [],
    isUsual: (codes) => Array.isArray(codes) || isNumber(codes),
    read: (name, codes) => numberText(codes) !== undefined && whole(0, 10_000)(name, codes),
    each: codeFields,
  }),
  /** `null` for goods without license codes. Default: `retail`. */
  code_typ: itemField<Word<CodeType>>({ in: 'input', isUsual: isWordOf(codeTypes) }),
  /** Default: 1, or the quantity if the type is `volumen`. */
  aktivierungen_bestellung: itemField<number>({ in: 'input', read: whole() }),
  /** Default: `both`; `all` cycles through every combination. */
  downloads: itemField<(typeof downloadKinds)[number]>({ in: 'input', read: oneOf(downloadKinds) }),
};
export type ItemInput = InputOf<typeof itemFields>;

/**
 * The fields of an order (§2.2, §2.4), in the order in which they are served. A line here generates a new field, checks
 * it, shows it in the example of `GET /__mock`, allows it in the settings `missing` and `nulls`, and adds it to
 * `OrderInput`.
 */
export const orderFields = {
  /** 1 to 2^53 - 1, or a string of digits. Default: the next free ID. */
  id: orderField<Id>({ example: 90_001, made: ({ id }) => id, read: readId }),
  /** Default: derived from ID and date. */
  bestellnummer: orderField<Text>({ example: 'B-2026-900001', isUsual: isText }),
  /** Determines how the order is filtered, and whether it has license codes. Default: `abgeschlossen`. */
  status: orderField<Word<Status>>({ example: 'bezahlt', made: ({ status }) => status, isUsual: isWordOf(statuses) }),
  /** Default: follows from the status. */
  zahlungsstatus: orderField<Text>({
    in: 'list',
    example: 'bezahlt',
    made: ({ status }) => {
      if (status === 'storniert') return 'erstattet';
      return isEligible(status) ? 'bezahlt' : 'offen';
    },
  }),
  /** E.g. `12.34`. Default: the sum of the items. */
  gesamtpreis_brutto: orderField<Amount>({
    example: '249.00',
    made: ({ items }) => money(totalOf(Array.isArray(items) ? items : [])),
    isUsual: isAmount,
  }),
  /** Default: `EUR`. */
  waehrung: orderField<Text>({ example: 'EUR', made: () => 'EUR', isUsual: isText }),
  /**
   * `YYYY-MM-DD HH:MM:SS` in UTC, ISO 8601 with `Z` or an offset, or a day. Default: the mock's current time. An order
   * with `null`, an empty text or `0000-00-00 00:00:00` is also sorted by the current time.
   */
  created_at: orderField<Text>({
    in: 'list',
    example: '2026-07-01 12:30:15',
    made: ({ createdAt }) => utcText(createdAt),
    read: readDate,
  }),
  /** Default: follows from the number of delivered codes. */
  lieferstatus: orderField<Text>({
    in: 'list',
    example: 'geliefert',
    made: ({ status, delivered, planned }) => {
      if (!isEligible(status) || (delivered === 0 && planned > 0)) return 'offen';
      return delivered >= planned ? 'geliefert' : 'teilgeliefert';
    },
  }),
  /** Default: one item at the order's price. */
  items: orderField<ItemInput[] | null>({
    in: 'detail',
    isUsual: Array.isArray,
    each: itemFields,
  }),
  /** Default: the account's address. */
  billing_address: orderField<object | null>({
    in: 'detail',
    example: { name: 'Jürgen Müller', company: 'Müller & Söhne GmbH', city: 'Dresden' },
  }),
  /**
   * Number of codes delivered so far. An item receives codes only after all items before it have theirs. Not part of
   * responses. Default: all.
   */
  delivered: orderField<number>({ in: 'input', read: whole() }),
};
/**
 * An order of your own, with the API's field names; every field is optional. Fields are served as given, even
 * undocumented ones, unless a setting changes them; missing ones are generated. License codes are served once the order
 * is paid or completed (§3).
 */
export type OrderInput = InputOf<typeof orderFields>;

/** Returns the names of the fields that a list entry, a detail, an item or a code has in responses. */
export const namesIn = (fields: Fields, where?: 'list' | 'detail'): string[] =>
  Object.keys(fields).filter((name) => fields[name]?.in === undefined || fields[name]?.in === where);

/** Returns a function that makes a document: the given fields, with generated ones for the rest. */
export const filler = <Draft>(fields: Fields, where?: 'list' | 'detail'): ((draft: Draft, given: Json) => Json) => {
  const names = namesIn(fields, where);
  return (draft, given) => {
    const made: Json = {};
    for (const name of names) made[name] = (fields[name] as Field<unknown, Draft>).made?.(draft);
    return Object.assign(made, given);
  };
};

const exampleOf = (fields: Fields): Json =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])),
  );

const { billing_address, ...entry } = exampleOf(orderFields);

/** The example body for an order in `GET /__mock`, with every field in the API docs. */
export const orderExample: Json = {
  ...entry,
  items: [{ ...exampleOf(itemFields), license_codes: [exampleOf(codeFields)] }],
  billing_address,
};
