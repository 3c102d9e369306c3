import { readOrderId } from '@order-license/core/host';

/** The facts about a result that an access log may record. */
export interface AnswerTrace {
  orderIds: (number | string)[];
  /** Number of license codes in the result. */
  codes: number;
}

type Fields = Record<string, unknown>;

/** Finds the orders and license codes in any result, whether they are objects or rows with column names. */
export const traceOf = (answer: unknown): AnswerTrace => {
  const all = objectsIn(answer);
  const isOrder = (one: Fields): boolean =>
    ('bestellnummer' in one || 'items' in one) && readOrderId(one.id) !== undefined;
  const ids = all.filter(isOrder).map(({ id }) => id as number | string);
  return { orderIds: [...new Set(ids)], codes: all.filter((one) => 'license_key' in one).length };
};

/** Returns all objects in a value, and the rows of its tables as objects. */
const objectsIn = (value: unknown): Fields[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { columns, rows } = value as { columns?: unknown; rows?: unknown };
  const own =
    Array.isArray(columns) && Array.isArray(rows)
      ? rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row?.[index]])))
      : [value as Fields];
  return [...own, ...Object.values(value).flatMap(objectsIn)];
};
