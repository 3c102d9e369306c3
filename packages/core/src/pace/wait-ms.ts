/** What delays a process's next permit. All times are ms from now. */
export interface LimitState {
  /** When each permit that is out returns; for one in flight the earliest time, if it were settled now. Ascending. */
  returnsInMs: { readonly length: number; at(place: number): number | undefined };
  /** Blocks all permits until it is over; 0 or less without a pause. */
  pausedMs: number;
}

/** How long, in ms, a request with `ahead` others in front has to wait for a permit. */
export const waitMs = (
  { returnsInMs, pausedMs }: LimitState,
  ahead: number,
  requests: number,
  holdMs: number,
): number => {
  const place = ahead + returnsInMs.length - requests;
  // Requests beyond the permits out also wait for the requests ahead, in whole rounds.
  const rounds = Math.max(0, Math.ceil((place + 1 - returnsInMs.length) / requests));
  const turn = place - rounds * requests;
  const returnsIn = turn < 0 ? 0 : (returnsInMs.at(turn) ?? 0);
  return Math.max(returnsIn, pausedMs, 0) + rounds * holdMs;
};
