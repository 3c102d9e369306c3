import { OrderLicenseError } from '@order-license/core/portable';

/**
 * Maximum length of a result, characters. Clients write results above about 50,000 characters to a file, and show the
 * model only the beginning.
 */
const maxCharacters = 40_000;
/**
 * Maximum length of a result, in tokens as `tokensOf` estimates them: at most 12,000 tokens of o200k. The difference
 * covers texts that take more tokens than estimated.
 */
const maxTokens = 11_600;
/** A result that does not fit loses its longest values: those above a quarter of the budget, then above 1/40, then 1/400. */
const steps = [1 / 4, 1 / 40, 1 / 400] as const;

/** Characters of ASCII that take one token together. Few tokens contain the letters j, q, x and z. */
const pieces = /[jqxzJQXZ]|[-/. ]?[a-z]{1,2}|[A-Z]{1,2}|\d{1,3}|["[\]{},:/]{1,2}/g;

/**
 * Estimates the number of o200k tokens, because the tokenizer itself would take 2 MB. Texts that compress worst (random
 * letters and digits, as in license keys) are estimated best; words take fewer tokens than estimated. Any other
 * character takes at most as many tokens as it has bytes.
 */
export const tokensOf = (text: string): number => Buffer.byteLength(text.replace(pieces, '.'));

/** Returns the fraction of the budget that a text takes. Above 1, the text does not fit. */
const shareOf = (text: string): number => {
  const share = text.length / maxCharacters;
  return share > 1 ? share : Math.max(share, tokensOf(text) / maxTokens);
};

/** Whether a result fits, if values that are too long for any result are omitted. */
export const fits = (answer: object): boolean => {
  const [longest] = steps;
  return shareOf(JSON.stringify(answer)) <= 1 || shareOf(JSON.stringify(withoutLong(answer, longest))) <= 1;
};

/**
 * Returns how many entries fit into a result, at least one.
 * @param count number of entries
 * @param doFit whether a result with this many entries fits; if it does, so do fewer
 */
export const entriesThatFit = (count: number, doFit: (entries: number) => boolean): number => {
  if (count <= 1 || doFit(count)) return count;
  let [most, tooMany] = [1, count];
  while (tooMany - most > 1) {
    const middle = Math.min(2 * most, Math.floor((most + tooMany) / 2));
    if (doFit(middle)) most = middle;
    else tooMany = middle;
  }
  return most;
};

/**
 * Omits the longest values of a result that does not fit, and says so. A value is omitted as a whole, because a part of
 * a license key could be mistaken for the key.
 * @throws `invalid_response` if the result still does not fit
 */
export const fitAnswer = (answer: object): object => {
  if (shareOf(JSON.stringify(answer)) <= 1) return answer;
  for (const most of steps) {
    const fitted = withoutLong(answer, most);
    if (shareOf(JSON.stringify(fitted)) <= 1) return fitted;
  }
  throw new OrderLicenseError('invalid_response', {
    detail: 'The result would be too long for a conversation',
    advice:
      'Request less at a time: a smaller `per_page`, fewer IDs or a shorter period. Or read the data with another program.',
  });
};

/**
 * Returns the result with null in place of strings that take more than this part of the budget. The result begins with
 * the number of these strings. Arguments in `continue` stay, because the next call would read something else without
 * them.
 */
const withoutLong = ({ continue: next, ...answer }: { continue?: unknown }, most: number): object => {
  let count = 0;
  const text = JSON.stringify(answer, (_name, value) => {
    // A character takes at most four tokens.
    if (typeof value !== 'string' || 4 * value.length <= most * maxTokens || shareOf(value) <= most) return value;
    count += 1;
    return null;
  });
  const advice =
    'Values that are too long are omitted (null). To read them, ask for fewer orders at a time, or read the order through the API.';
  const first = { ...(count > 0 && { complete: false, left_out: { count, advice } }), continue: next };
  return { ...first, ...JSON.parse(text), ...(count > 0 && { complete: false }) };
};
