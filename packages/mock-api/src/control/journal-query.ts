import { oneOf, rejectUnknownFields } from '../check.ts';
import { filterFields, type JournalFilter } from '../journal/journal-filter.ts';

const numbers = ['after', 'page', 'id', 'status'];

/**
 * Reads the filter of `GET /__mock/journal?after=3&operation=list`.
 * @throws Error that names the invalid parameter
 */
export const readJournalQuery = (query: URLSearchParams): JournalFilter => {
  const filter: Record<string, unknown> = {};
  for (const [name, value] of query) {
    if (Object.hasOwn(filter, name)) throw new Error(`${name} is given twice`);
    filter[name] = numbers.includes(name) && /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  rejectUnknownFields('the journal', filter, filterFields);
  if (filter.violations !== undefined) {
    filter.violations = oneOf(['', 'true', 'false'])('violations', filter.violations) !== 'false';
  }
  return filter as JournalFilter;
};
