import type { Client } from '@order-license/core/portable';

/** Reports to the MCP client what a call is doing. */
export type ReportProgress = (message: string) => void;

/** A running call, as far as it reads. */
export interface Call {
  client: Client;
  /** Aborted when the MCP client cancels the call. */
  signal: AbortSignal;
  /** Undefined when the MCP client did not ask for progress. */
  reportProgress: ReportProgress | undefined;
  /** Requests sent to the service so far. */
  requests(): number;
  /** When the call must end: ms of `performance.now()`. */
  endsAt: number;
}
