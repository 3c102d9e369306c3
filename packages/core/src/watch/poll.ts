import type { ChangeEvent, Selection } from './events.ts';
import type { Reads } from './reads.ts';
import type { WatchState } from './state.ts';

/** Data and functions that the parts of one poll share. */
export interface Poll {
  /** Updated in place. */
  state: WatchState;
  selection: Selection;
  reads: Reads;
  events: ChangeEvent[];
  /** Whether this poll records the baseline. */
  isStart: boolean;
  warn(message: string): void;
  /** Warns about limits in at most one poll an hour, and in that poll once per topic. */
  warnHourly(topic: string, message: string): void;
}
