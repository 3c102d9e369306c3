import type { OperationName } from '../api/operation.ts';
import type { AnswerSummary } from './answer-summary.ts';
import type { Violation } from './contract-check.ts';

/** One request as the journal keeps it: no API key, no answer body. */
export interface JournalEntry {
  /** Running number, from 1. */
  number: number;
  /** When it came, ms since 1970 on the mock's clock. */
  at: number;
  /** `-`, like the path, where the bytes were no HTTP request. */
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** Which operation the path names, whatever the method; absent for a path that the API does not have. */
  operation?: OperationName;
  /** Lower-case names; values that may be secret are `***`. */
  headers: Record<string, string>;
  /** HTTP status of the answer; 0 where the wire broke before one. */
  status: number;
  /** What the answer said; absent where it was no JSON of the API, or where a fault cut it off. */
  answer?: AnswerSummary;
  /** Name of the key that was sent, where the service knows it, whatever its state. */
  key?: string;
  /** The fault that was put in the way. */
  fault?: string;
  /** Rules of the text that the request broke. */
  violations: Violation[];
}
