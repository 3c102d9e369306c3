import { orderIdPattern } from '@order-license/core/host';

/** What an access log may record about an answer. */
export interface AnswerTrace {
  orderIds: (number | string)[];
  /** Number of license codes. */
  codes: number;
}

/** Finds orders and license codes in any answer, as objects or as rows with column names. */
export const traceOf = (answer: unknown): AnswerTrace => {
  const ids = new Set<number | string>();
  let codes = 0;
  const add = (id: unknown): void => {
    if (Number.isSafeInteger(id) || (typeof id === 'string' && wholeId.test(id))) ids.add(id as number | string);
  };
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { id, columns, rows } = value as Record<string, unknown>;
    if ('license_key' in value) codes += 1;
    if ('bestellnummer' in value || 'items' in value) add(id);
    if (Array.isArray(columns) && Array.isArray(rows)) {
      if (columns.includes('license_key')) codes += rows.length;
      const place = columns.includes('bestellnummer') ? columns.indexOf('id') : -1;
      if (place >= 0) for (const row of rows) add(row?.[place]);
    }
    Object.values(value).forEach(look);
  };
  look(answer);
  return { orderIds: [...ids], codes };
};

const wholeId = new RegExp(`^${orderIdPattern}$`);
