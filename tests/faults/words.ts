/** The parts of an error that an entry point reports. */
export interface ErrorWords {
  detail: string;
  advice?: string | null | undefined;
  reason?: string | undefined;
  serverText?: string | undefined;
}

/**
 * Returns an error's message for the page, without the API's own message and without what differs between runs: times,
 * and the code of a broken connection.
 */
export const wordsOf = ({ detail, advice, reason, serverText }: ErrorWords): string => {
  let words = advice ? `${detail}. ${advice}` : `${detail}.`;
  if (serverText !== undefined) words = words.replace(` The API says: ${serverText}`, '');
  if (reason !== undefined) words = words.replace(` (${reason})`, '').replace(` Code: ${reason}.`, '');
  return words.replace(/\b(in|within) \d+ (ms|s)\b/gi, '$1 N $2');
};
