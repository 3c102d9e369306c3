import type { OperationName } from '../api/router.ts';
import type { AnswerSummary } from './answer-summary.ts';
import type { Violation } from './contract-check.ts';

/** A request in the journal, without API key and response body. */
export interface JournalEntry {
  /** Sequence number, from 1. */
  number: number;
  /** Time of the request, ms since 1970 on the mock's clock. */
  at: number;
  /** `-`, like the path, if the bytes were not an HTTP request. */
  method: string;
  path: string;
  /** Without the question mark. */
  query: string;
  /** The operation of the path, for any method; absent for an unknown path. */
  operation?: OperationName;
  /** Lower-case names. Values that may be secret are `***`. */
  headers: Record<string, string>;
  /** HTTP status of the response; 0 if none was sent. */
  status: number;
  /** Summary of the response; absent if it wasn't an API response or a fault truncated it. */
  answer?: AnswerSummary;
  /** Name of the sent key if it is known, even if inactive or revoked. */
  key?: string;
  /** The applied fault. */
  fault?: string;
  /** Rules of the API docs that the request violated. */
  violations: Violation[];
}
