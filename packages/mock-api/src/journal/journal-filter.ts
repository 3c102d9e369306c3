import { type OperationName, operationNames } from '../api/operation.ts';
import { refuseUnknownFields } from '../validate/fields.ts';
import { oneOf, shown, wholeNumber } from '../validate/values.ts';
import type { JournalEntry } from './journal-entry.ts';

/** Selects the entries that match every given field. */
export interface JournalFilter {
  /**
   * Entries with a higher number, e.g. `after: journal.total()` for future ones. A number above the last entry predates
   * `clear()` and matches every entry.
   */
  after?: number;
  /** `me`, `list` or `order`. */
  operation?: OperationName;
  /** Requests for this page of the list; a request without `page` counts as page 1. */
  page?: number;
  /** Requests for this order, even if it doesn't exist. */
  id?: number;
  method?: string;
  /** Requests with the key of this name, even if inactive or revoked. */
  key?: string;
  /** HTTP status of the answer; 0 if none was sent. */
  status?: number;
  /** `true` selects only requests that violate a rule of the API docs. */
  violations?: boolean;
}

export const filterFields = [
  ...(['after', 'operation', 'page', 'id', 'method', 'key', 'status', 'violations'] as const),
] satisfies (keyof JournalFilter)[];

const what = 'a filter of the journal';

/**
 * Rejects a filter that could never match.
 * @param keyNames names of the keys in any entry
 * @throws Error that names the invalid field
 */
export const checkFilter = (filter: JournalFilter, keyNames: readonly string[]): void => {
  refuseUnknownFields(what, filter, filterFields);
  const { after, operation, page, id, method, key, status, violations } = filter;
  if (after !== undefined) wholeNumber('after', after);
  if (operation !== undefined) oneOf('operation', operation, operationNames);
  if (page !== undefined) wholeNumber('page', page, Number.MAX_SAFE_INTEGER, 1);
  if (id !== undefined) wholeNumber('id', id);
  for (const [name, owner] of [
    ['page', 'list'],
    ['id', 'order'],
  ] as const) {
    if (filter[name] !== undefined && (operation ?? owner) !== owner)
      throw new Error(`${name} is for the operation ${owner}, not ${operation}`);
  }
  if (method !== undefined && !/^[A-Z]+$/.test(method))
    throw new Error(`method must be a name like GET, not ${shown(method)}`);
  if (key !== undefined) oneOf('key', key, keyNames);
  if (status !== undefined && status !== 0) wholeNumber('status', status, 599, 100);
  if (violations !== undefined && typeof violations !== 'boolean') throw new Error('violations must be true or false');
};

/** Whether an entry matches the filter; ignores `after`. */
export const matches = (entry: JournalEntry, filter: JournalFilter): boolean => {
  const { page, id, violations } = filter;
  for (const name of ['operation', 'method', 'key', 'status'] as const) {
    if (filter[name] !== undefined && filter[name] !== entry[name]) return false;
  }
  if (page !== undefined && !(entry.operation === 'list' && pageOf(entry) === page)) return false;
  if (id !== undefined && !(entry.operation === 'order' && entry.path.endsWith(`/${id}`))) return false;
  return !violations || entry.violations.length > 0;
};

const pageOf = ({ query }: JournalEntry): number => Number(new URLSearchParams(query).get('page') ?? 1);

/** Describes the filter: `with operation "list", status "429"`. */
export const filterText = ({ after: _, ...filter }: JournalFilter): string => {
  const parts = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? '' : ` with ${parts.join(', ')}`;
};
