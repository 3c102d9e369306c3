import { readDate } from '../limit/utc-time.ts';
import { isObject, shown } from '../settings/check.ts';
import { copyOfJson, type Json, numberText, textOf } from '../settings/json.ts';
import { type GivenOrder, givenBy, maxMadeUpCodes } from './make-order.ts';
import { type Field, type Fields, orderFields } from './order-fields.ts';
import type { Status } from './statuses.ts';

/** The origin of an order: hand-written, or one of the two documents in a response. */
export type Source = 'hand' | 'list' | 'detail';

/** What was noticed in orders that are served as given. */
export type Notes = ReturnType<typeof newNotes>;
export const newNotes = () => ({
  /** Fields that the API docs don't name, and values in another form, by the field's name. */
  unusual: new Map<string, string>(),
  /** Warnings about items for which not all codes are generated. */
  codes: [] as string[],
});

/**
 * Reads the fields of one order or of a change to it.
 * @param notes receives the unusual fields and values
 * @throws Error with every problem, including misspelled fields
 */
export const readOrder = (given: unknown, source: Source, notes = newNotes()): GivenOrder => {
  if (!isObject(given)) throw new Error("an order must be an object with the API's field names");
  const own = copyOfJson(given as Json);
  const isResponse = source !== 'hand';
  const problems = problemsOf('', own, orderFields, { notes, isResponse });
  if (problems.length > 0) throw new Error(problems.join(', '));
  const { id, status, created_at } = own;
  const read = {
    id: id === undefined ? undefined : Number(textOf(id)),
    status: status as Status | undefined,
    createdAt: created_at === undefined ? undefined : readDate('created_at', created_at),
    isResponse,
  };
  if (source === 'list') return { ...read, list: own, detail: {} };
  if (source === 'detail') return { ...read, list: {}, detail: own };
  return { ...read, ...givenBy(own) };
};

/**
 * Returns the problems of an object and of the objects in its lists.
 * @param at the object's path, for errors
 * @param context collects unusual fields and values, such as a field in a response that only hand-written orders can have
 */
const problemsOf = (
  at: string,
  given: unknown,
  fields: Fields,
  context: { notes: Notes; isResponse: boolean },
): string[] => {
  if (!isObject(given)) return [`${at} must be an object`];
  const { notes, isResponse } = context;
  const fieldOf = (name: string): Field | undefined => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return isResponse && field?.in === 'input' ? undefined : field;
  };
  const below = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const problems = Object.entries(given).flatMap(([name, value]): string[] => {
    const field = fieldOf(name);
    if (!field) {
      const meant = Object.keys(fields).find((other) => fieldOf(other) && isOneLetterAway(name, other));
      if (meant !== undefined) return [`"${below(name)}" is one letter away from "${meant}"; correct the spelling`];
      notes.unusual.set(name, name);
      return [];
    }
    // Names each unusual status and code type, because there are few; for other fields, one value. Hides license keys.
    const isWord = name === 'status' || name === 'code_typ';
    if (value !== null && field.isUsual && !field.isUsual(value))
      notes.unusual.set(
        isWord ? `${name} ${textOf(value)}` : name,
        name.startsWith('license_') ? name : `${name} ${shown(value)}`,
      );
    try {
      field.read?.(below(name), value);
    } catch (error) {
      return [(error as Error).message];
    }
    if (!field.each || !Array.isArray(value)) return [];
    const { each } = field;
    return value.flatMap((one, n) => problemsOf(`${below(name)}[${n}]`, one, each, context));
  });
  const { menge, license_codes, code_typ } = given as Json;
  if (
    license_codes === undefined &&
    !['volumen', null].includes(code_typ as null) &&
    Number(numberText(menge)) > maxMadeUpCodes
  )
    notes.codes.push(`${below('menge')} is ${numberText(menge)}, but only ${maxMadeUpCodes} license codes are made up`);
  return problems;
};

/**
 * Whether adding, removing or replacing one letter, or swapping two neighbors, turns a name into a known one. Short names
 * such as `id` are excluded, since too many other names are one letter away.
 */
const isOneLetterAway = (name: string, known: string): boolean => {
  if (known.length < 4 || Math.abs(name.length - known.length) > 1) return false;
  let same = 0;
  while (same < known.length && name[same] === known[same]) same++;
  const [rest, wanted] = [name.slice(same), known.slice(same)];
  const swapped = `${rest[1]}${rest[0]}${rest.slice(2)}`;
  return [rest.slice(1), swapped].includes(wanted) || [rest, rest.slice(1)].includes(wanted.slice(1));
};
