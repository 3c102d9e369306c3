/** What the numbers of violations stand for: statements of the API docs (S), and what good clients do at open points (U). */
export const contractRules = {
  'S-01': 'There are exactly three operations: read the user, list orders, read one order.',
  'S-02': 'Every operation is a GET.',
  'S-03': 'The base address ends in `/api/v1` and all paths follow it.',
  'S-40': '`/me` takes no parameters.',
  'S-41': 'Requests have no body.',
  'S-48': '`per_page` runs from 1 to 50.',
  'S-56': 'The path takes the internal integer `id`, and it is required.',
  'S-59': 'Every request carries `Authorization: Bearer <API_KEY>`.',
  'S-60': 'Every request carries `Accept: application/json`.',
  'S-84': 'After a 429 a client should wait 60 seconds and try again.',
  'U-01': 'The API docs do not say what a `page` of 0 or below gets; pages begin at 1.',
  'U-03': 'The API docs do not say what `page` or `per_page` gets that is no plain number; send decimal digits.',
  'U-04': 'The API docs do not say what a `status` gets that is none of the four; send one of them.',
  'U-07': 'The API docs do not say what a parameter gets that is given twice; send each one once.',
  'U-08': 'The API docs do not say what parameters get that they do not name; send none.',
  'U-27': 'The API docs do not say what a slash too many in the path gets; send none.',
  'U-50': 'The API docs do not say whether download URLs need the key; never send it there.',
} as const;

/** The number of a rule. */
export type RuleNumber = keyof typeof contractRules;
