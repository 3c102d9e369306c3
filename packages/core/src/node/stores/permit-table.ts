/** What a process has to wait for before its next permit. All times are ms from now. */
export interface LimitState {
  /** When each permit that is out comes back; one in flight at the earliest, if it were settled now. Ascending. */
  returnsInMs: number[];
  /** Nobody gets a permit before this is over; 0 or less without a pause. */
  pausedMs: number;
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
  take(id: string, requests: number): Promise<'granted' | LimitState>;
  /**
   * Enters an update. A permit that is known may come back earlier by it but never later, and a pause may only become
   * longer, so entering an update twice changes nothing.
   */
  merge(update: LimitUpdate): Promise<void>;
  close(): void;
}

/** How long, in ms, someone with `ahead` others before him has to wait for a permit. */
export const waitMs = (
  { returnsInMs, pausedMs }: LimitState,
  ahead: number,
  requests: number,
  holdMs: number,
): number => {
  const place = ahead + returnsInMs.length - requests;
  // Whoever comes after all that are out waits for those who will have gone before him: whole rounds.
  const rounds = Math.max(0, Math.ceil((place + 1 - returnsInMs.length) / requests));
  const returnsIn = returnsInMs[place - rounds * requests] ?? 0;
  return Math.max(returnsIn, pausedMs, 0) + rounds * holdMs;
};
