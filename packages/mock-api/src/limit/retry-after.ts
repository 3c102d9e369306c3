/**
 * Returns the wait that a Retry-After header states, in ms; `undefined` unless the header is a number of seconds or a
 * date. A date is compared with the Date header, or with the mock's clock if there is none.
 * @param now ms since 1970
 */
export const retryAfterMs = (headers: Readonly<Record<string, string>> = {}, now: number): number | undefined => {
  const stated = headers['retry-after'] ?? '';
  if (/^\d+$/.test(stated)) return Number(stated) * 1000;
  const until = timeIn(stated);
  return until === undefined ? undefined : Math.max(0, until - (timeIn(headers.date) ?? now));
};

/** Parses an HTTP date; `undefined` for any other text. */
const timeIn = (date = ''): number | undefined => {
  const ms = date.endsWith(' GMT') ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
};
