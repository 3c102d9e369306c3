/**
 * The rules by ID: statements from the API docs (S), and good client behavior where the docs leave a question open (U).
 */
export const clientRules = {
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
  'U-01': 'The API docs do not define a `page` below 1. Start at 1.',
  'U-03': 'The API docs do not define a `page` or `per_page` that is not a plain number. Send only decimal digits.',
  'U-04': 'The API docs define only four values of `status`. Send one of them.',
  'U-07': 'The API docs do not define repeated parameters. Send each one once.',
  'U-08': 'The API docs do not define any other parameters. Send none.',
  'U-27': 'The API docs do not define extra slashes in the path. Send none.',
  'U-50': 'The API docs do not say whether download URLs need the key. Never send it there.',
} as const;

/** The ID of a rule. */
export type RuleNumber = keyof typeof clientRules;
