import type { AnswerSummary } from '../api/responses.ts';
import type { Selection } from '../api/selection.ts';
import type { Violation } from './violations.ts';

/**
 * A request in the journal: what it asks for and a summary of the response, without the API key and the response body.
 */
export interface JournalEntry extends Selection {
  /** Sequence number, from 1. */
  number: number;
  /** Time of the request, ms since 1970 on the mock's clock. */
  at: number;
  /** The HTTP method. If the bytes were not an HTTP request, both method and path are `-`. */
  method: string;
  path: string;
  /** The query, without the question mark. */
  query: string;
  /** The headers, with names in lower case. `***` replaces API keys. */
  headers: Record<string, string>;
  /** HTTP status of the response; 0 if none was sent. */
  status: number;
  /** Summary of a response of the API or of a fault that is an error in the API's format; absent for all other bodies. */
  answer?: AnswerSummary;
  /** The applied fault. */
  fault?: string;
  /** The rules in the API docs that the request violated. */
  violations: Violation[];
}

/** Formats a request as one line: status, method, path and query, key name, fault, violations. */
export const entryText = ({ method, path, query, status, key, fault, violations }: JournalEntry): string => {
  const target = query === '' ? path : `${path}?${query}`;
  const marks = violations.map(({ point, text }) => `  ${point}: ${text}`).join('');
  return `${status || '---'} ${method} ${target}${key ? `  ${key}` : ''}${fault ? `  fault ${fault}` : ''}${marks}`;
};
