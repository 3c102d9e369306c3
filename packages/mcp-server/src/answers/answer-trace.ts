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
  const ids = new Set<number | string>();
  let codes = 0;
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const one of objectsOf(value)) {
      if ('license_key' in one) codes += 1;
      const isOrder = ('bestellnummer' in one || 'items' in one) && readOrderId(one.id) !== undefined;
      if (isOrder) ids.add(one.id as number | string);
    }
    Object.values(value).forEach(look);
  };
  look(answer);
  return { orderIds: [...ids], codes };
};

/** Returns the rows of a table as objects; any other value is returned as the only element. */
const objectsOf = (value: object): Fields[] => {
  const { columns, rows } = value as { columns?: unknown; rows?: unknown };
  if (!Array.isArray(columns) || !Array.isArray(rows)) return [value as Fields];
  return rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row?.[index]])));
};
