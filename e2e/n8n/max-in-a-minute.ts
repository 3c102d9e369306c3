/** Returns the maximum number of requests that arrived within 60 s. Times are in ms. */
export const maxInAMinute = (times: number[]): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 60_000).length));
