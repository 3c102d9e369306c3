import type { MockResponse } from './api/http.ts';
import type { Fault } from './faults/fault.ts';

/** What an adapter has to do. */
export interface Outcome {
  response: MockResponse;
  /** ms to wait on the mock's clock before anything is sent. */
  delayMs: number;
  /** How the wire breaks, which only the HTTP server can do. */
  wire?: Fault;
  /** ms to wait before the nth piece of an answer that drips. */
  pauseMs?(piece: number): number;
}
