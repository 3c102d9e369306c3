import type { MockResponse } from './api/http.ts';
import type { Fault } from './faults/fault.ts';

/** What an adapter must send. */
export interface Outcome {
  response: MockResponse;
  /** Wait on the mock's clock before the response, ms. */
  delayMs: number;
  /** The connection fault; only the HTTP server can cause one. */
  wire?: Fault;
  /** Returns the pause before the nth piece of a dripping response, ms. */
  pauseMs?(piece: number): number;
}
