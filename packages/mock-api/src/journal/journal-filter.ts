import { type OperationName, operationNames } from '../api/router.ts';
import { flag, matching, oneOf, optional, readFields, whole } from '../check.ts';
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
  /** HTTP status of the response; 0 if none was sent. */
  status?: number;
  /** `true` selects only requests that violate a rule of the API docs. */
  violations?: boolean;
}

/** @param keyNames names of the keys in any entry */
const readers = (keyNames: readonly string[]) => ({
  after: optional(whole()),
  operation: optional(oneOf(operationNames)),
  page: optional(whole(1)),
  id: optional(whole()),
  method: optional(matching(/^[A-Z]+$/, 'a name like GET')),
  key: optional(oneOf(keyNames)),
  status: optional<number>((name, value) => (value === 0 ? 0 : whole(100, 599)(name, value))),
  violations: optional(flag),
});

/**
 * Rejects a filter that could never match.
 * @param keyNames names of the keys in any entry
 * @throws Error that names the invalid field
 */
export const checkFilter = (filter: JournalFilter, keyNames: readonly string[]): void => {
  const { operation, ...given } = readFields<JournalFilter>('a filter of the journal', filter, readers(keyNames));
  for (const [name, owner] of [
    ['page', 'list'],
    ['id', 'order'],
  ] as const) {
    if (given[name] !== undefined && (operation ?? owner) !== owner)
      throw new Error(`${name} is for the operation ${owner}, not ${operation}`);
  }
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
