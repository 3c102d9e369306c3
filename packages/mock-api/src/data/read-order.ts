import { readDate } from '../limit/utc-time.ts';
import { isObject, oneOf, type Reader, shown, whole } from '../settings/check.ts';
import { documentedFields } from '../settings/field-paths.ts';
import { copyOfJson, type Json, numberText, wholeNumber } from '../settings/json.ts';
import { type Given, type Order, type Status, statuses } from './order.ts';
import { downloadKinds, itemHelpers } from './order-input.ts';

/** An order as given, with the values that were read from it. */
export interface OwnOrder extends Pick<Order, 'delivered'> {
  id?: number | undefined;
  status?: Status | undefined;
  /** ms since 1970, in whole seconds; `undefined` for an order without a date. */
  createdAt?: number | undefined;
  given: Given;
}

/**
 * The origin of an order: hand-written, or from a response. In a response, each field belongs either to a list entry or
 * to a detail.
 */
export type Source = 'hand' | 'list' | 'detail';

/** The fields of a list entry, and of a detail. */
export const listFields: readonly string[] = documentedFields['orders[]'];
export const detailFields: readonly string[] = documentedFields.order;

const onlyInList = listFields.filter((name) => !detailFields.includes(name));
const onlyInDetail = detailFields.filter((name) => !listFields.includes(name));

/** The names of all order fields that a caller can set. */
export const orderFields: readonly string[] = [...listFields, ...detailFields, 'delivered'];

/**
 * The checks for an object: the spelling of its field names, the values that are read, and the objects in its lists.
 */
interface Form {
  names: readonly string[];
  values?: Record<string, Reader<unknown>>;
  lists?: Record<string, Form>;
}

const readId: Reader<number> = (name, id) => {
  const digits = typeof id === 'string' ? id : (numberText(wholeNumber(id)) ?? '');
  if (/^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
  throw new Error(`${name} must be a whole number from 1 to 2^53 - 1, as a number or a string, not ${shown(id)}`);
};

const orderForm: Form = {
  names: orderFields,
  values: { id: readId, created_at: readDate, delivered: whole() },
  lists: {
    items: {
      names: [...documentedFields['items[]'], ...itemHelpers],
      values: {
        license_codes: (name, codes) => numberText(codes) !== undefined && whole(0, 10_000)(name, codes),
        downloads: oneOf(downloadKinds),
        aktivierungen_bestellung: whole(),
      },
      lists: { license_codes: { names: documentedFields['license_codes[]'] } },
    },
  },
};

/**
 * Reads the fields of one order or of a change to it.
 * @param unknown receives the fields and statuses that the API docs do not name; they are served as given
 * @throws Error with every problem, including misspelled fields
 */
export const readOrder = (given: unknown, source: Source, unknown = new Set<string>()): OwnOrder => {
  if (!isObject(given)) throw new Error("an order must be an object with the API's field names");
  const own = copyOfJson(given as Json);
  const problems = problemsOf('', own, orderForm, unknown);
  if (problems.length > 0) throw new Error(problems.join(', '));
  const { delivered, ...fields } = own;
  const { id, status, created_at } = fields;
  if (typeof status === 'string' && !statuses.includes(status as Status)) unknown.add(`status "${status}"`);
  const places: Record<Source, Given> = {
    list: { list: fields, detail: {} },
    detail: { list: {}, detail: fields },
    hand: { list: without(fields, onlyInDetail), detail: without(fields, onlyInList) },
  };
  return {
    id: id === undefined ? undefined : readId('id', id),
    status: status as Status | undefined,
    createdAt: created_at === undefined ? undefined : readDate('created_at', created_at),
    delivered: wholeNumber(delivered) as number | undefined,
    given: places[source],
  };
};

const without = (fields: Json, names: readonly string[]): Json => only(fields, (name) => !names.includes(name));

export const only = (fields: Json, isWanted: (name: string) => boolean): Json =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));

/**
 * Returns the problems of an object and of the objects in its lists.
 * @param at the object's path, for errors
 */
const problemsOf = (at: string, given: unknown, form: Form, unknown: Set<string>): string[] => {
  if (!isObject(given)) return [`${at} must be an object`];
  const { names, values = {}, lists = {} } = form;
  const fields = given as Json;
  const below = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const misspelt = Object.keys(fields).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((known) => isOneLetterAway(name, known));
    if (meant !== undefined) return `"${below(name)}" is one letter away from "${meant}"; correct the spelling`;
    unknown.add(name);
    return [];
  });
  const invalid = Object.entries(values).flatMap(([name, read]) => {
    try {
      if (fields[name] !== undefined) read(below(name), fields[name]);
      return [];
    } catch (error) {
      return (error as Error).message;
    }
  });
  const inLists = Object.entries(lists).flatMap(([name, part]) => {
    const list = fields[name];
    if (!Array.isArray(list)) return [];
    return list.flatMap((one, n) => problemsOf(`${below(name)}[${n}]`, one, part, unknown));
  });
  return [...misspelt, ...invalid, ...inLists];
};

/**
 * Whether adding, removing or replacing one letter turns a name into a known one. Short names such as `id` are
 * excluded, since too many other names are one letter away.
 */
const isOneLetterAway = (name: string, known: string): boolean => {
  if (known.length < 4 || Math.abs(name.length - known.length) > 1) return false;
  let same = 0;
  while (same < known.length && name[same] === known[same]) same++;
  const [rest, wanted] = [name.slice(same), known.slice(same)];
  return rest.slice(1) === wanted || rest === wanted.slice(1) || rest.slice(1) === wanted.slice(1);
};
