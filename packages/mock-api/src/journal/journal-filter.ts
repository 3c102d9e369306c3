import { checkSelection, selectionReaders, selects } from '../api/selection.ts';
import { flag, type Given, matching, oneOf, optional, readFields, whole } from '../settings/check.ts';
import type { JournalEntry } from './journal-entry.ts';

/** @param keyNames names of the keys in any entry */
const readers = (keyNames: readonly string[]) => ({
  /**
   * Selects entries with a higher number, e.g. `after: journal.total()` for future entries. A number above that of the
   * last entry must be from before a `clear()`, so it selects every entry.
   */
  after: optional(whole()),
  ...selectionReaders,
  method: optional(matching(/^[A-Z]+$/, 'a name such as GET')),
  /** The name of the key that was sent, even if it is inactive or revoked. */
  key: optional(oneOf(keyNames)),
  /** HTTP status of the response; 0 if none was sent. */
  status: optional<number>((name, value) => (value === 0 ? 0 : whole(100, 599)(name, value))),
  /** `true` selects only requests that violate a rule in the API docs. */
  violations: optional(flag),
});

/** Selects the entries that match every given field. */
export type JournalFilter = Given<ReturnType<typeof readers>>;

/**
 * Rejects a filter that could never match.
 * @param keyNames names of the keys in any entry
 * @throws Error that names the invalid field
 */
export const checkFilter = (filter: JournalFilter, keyNames: readonly string[]): void => {
  checkSelection(readFields<JournalFilter>('a journal filter', filter, readers(keyNames)));
};

/** Whether an entry matches every field of the filter except `after`. */
export const matches = (entry: JournalEntry, filter: JournalFilter): boolean => {
  const { status, violations } = filter;
  if (status !== undefined && status !== entry.status) return false;
  return selects(filter, entry) && (!violations || entry.violations.length > 0);
};

/** Describes the filter in words, such as ` with operation list, status 429`. */
export const filterText = ({ after: _, ...filter }: JournalFilter): string => {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? '' : ` with ${parts.join(', ')}`;
};
