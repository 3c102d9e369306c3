import type { ChangeEvent, Selection } from './events.ts';
import type { Reads } from './reads.ts';
import type { Memory } from './state.ts';

/** What the parts of one poll share. */
export interface Poll {
  /** Updated in place; between two requests it always agrees with `events`. */
  memory: Memory;
  selection: Selection;
  reads: Reads;
  events: ChangeEvent[];
  /** Seconds since 1970. */
  now: number;
  /** Whether this poll records the baseline. */
  isStart: boolean;
  /** Whether there are events, which should not wait for routine requests. */
  isHurried: boolean;
  warn(message: string): void;
  /** Warns about a limit at most once an hour. */
  warnHourly(message: string): void;
}
