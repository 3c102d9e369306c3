import type { JournalEntry } from './journal-entry.ts';

/** Formats a request as one line: status, method, path and query, key name, fault, violations. */
export const entryText = ({ method, path, query, status, key, fault, violations }: JournalEntry): string => {
  const target = query === '' ? path : `${path}?${query}`;
  const marks = violations.map(({ point, text }) => `  ${point}: ${text}`).join('');
  return `${status || '---'} ${method} ${target}${key ? `  ${key}` : ''}${fault ? `  fault ${fault}` : ''}${marks}`;
};
