import type { LimitState } from './wait-ms.ts';

/** The array form, which can be stored and updated. */
export interface TableState extends LimitState {
  returnsInMs: number[];
}

/** Permits and a pause to record. All times are ms from now, so clocks need not agree. */
export interface LimitUpdate {
  /** When each permit returns, by its ID. */
  permits: ReadonlyMap<string, number>;
  pausedMs: number;
}

/** A permit count that several processes share. Each method is atomic across processes. */
export interface PermitTable {
  /** Records permit `id`; if `requests` or more are out or a pause is active, returns the state that prevents it. */
  take(id: string, requests: number): Promise<'granted' | TableState>;
  /**
   * Records an update. It can make a known permit return earlier but never later, and a pause only longer, so recording
   * an update twice changes nothing.
   */
  merge(update: LimitUpdate): Promise<void>;
  close(): void;
}
