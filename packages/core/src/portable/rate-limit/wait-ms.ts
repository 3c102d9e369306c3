/** What a process has to wait for before its next permit. All times are ms from now. */
export interface LimitState {
  /** When each permit that is out comes back; one in flight at the earliest, if it were settled now. Ascending. */
  returnsInMs: { readonly length: number; at(place: number): number | undefined };
  /** Nobody gets a permit before this is over; 0 or less without a pause. */
  pausedMs: number;
}

/** How long, in ms, someone with `ahead` others in front has to wait for a permit. */
export const waitMs = (
  { returnsInMs, pausedMs }: LimitState,
  ahead: number,
  requests: number,
  holdMs: number,
): number => {
  const place = ahead + returnsInMs.length - requests;
  // Whoever comes after all that are out waits for those who will have gone before: whole rounds.
  const rounds = Math.max(0, Math.ceil((place + 1 - returnsInMs.length) / requests));
  const turn = place - rounds * requests;
  const returnsIn = turn < 0 ? 0 : (returnsInMs.at(turn) ?? 0);
  return Math.max(returnsIn, pausedMs, 0) + rounds * holdMs;
};
