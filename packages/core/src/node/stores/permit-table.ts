import type { LimitState } from '../../portable/rate-limit/wait-ms.ts';

/** The same as an array, which can be kept and aged. */
export interface TableState extends LimitState {
  returnsInMs: number[];
}

/** Permits and a pause to be entered. All times are ms from now, so that no two clocks have to agree. */
export interface LimitUpdate {
  /** When each permit comes back, by its ID. */
  permits: ReadonlyMap<string, number>;
  pausedMs: number;
}

/** A place where several processes count together. Each method is one step that no other process can come between. */
export interface PermitTable {
  /** Enters permit `id`, unless `requests` or more are out already or a pause is on: then says what is in the way. */
  take(id: string, requests: number): Promise<'granted' | TableState>;
  /**
   * Enters an update. A permit that is known may come back earlier by it but never later, and a pause may only become
   * longer, so entering an update twice changes nothing.
   */
  merge(update: LimitUpdate): Promise<void>;
  close(): void;
}
