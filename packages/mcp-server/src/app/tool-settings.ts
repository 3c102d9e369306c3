import type { Masking } from '../answers/masked-answer.ts';
import type { OpenClient, WaitForTurn } from '../client/one-call.ts';
import type { OnCall } from '../log/access-log.ts';
import type { TicketHolder } from './tickets.ts';

/** The settings that tools, prompts and the order card need to serve one connection. */
export interface ToolSettings {
  openClient: OpenClient;
  /** Waits until a call may run; undefined if all calls may run at once. */
  waitForTurn?: WaitForTurn | undefined;
  /** Called when a call has ended. */
  onCall?: OnCall | undefined;
  masking: Masking;
  /** Whether the API key belongs to the server's operator, and not to the caller. */
  isOperatorsKey?: boolean | undefined;
  /** The folder for exported files; without it, the export tool does not exist. */
  exportFolder?: string | undefined;
  /** The holder of the connection's tickets; set if people see license keys in the order card and models don't. */
  card?: TicketHolder | undefined;
}
