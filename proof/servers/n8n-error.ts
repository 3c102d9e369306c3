import type { ErrorCode } from '@order-license/core';

/** What the node says happened, by the code of core's error. */
const codes: readonly (readonly [ErrorCode, RegExp])[] = [
  ['authentication', /^The API key was refused/],
  ['not_business_account', /^The account of the API key is not a business account/],
  ['not_found', /^No order with this ID belongs/],
  ['rate_limited', /^The limit of requests per minute is used up/],
  ['server', /^The service could not answer/],
  ['connection', /^The service could not be reached/],
  ['timeout', /^The service did not answer in time/],
  ['aborted', /^The call was cancelled/],
  [
    'bad_request',
    /^'(Status|Limit|Created After)' |^The service refused the parameters|has to be one of|^The order ID is not a whole number/,
  ],
  ['invalid_response', /^The (answer|list|service redirects|service answered 200 but)|^There is nothing at/],
  ['configuration', /^The base URL|^The API key (is missing|holds)|^'Requests per Minute'/],
];

export interface NodeFailure {
  name: string;
  message: string;
  description: string | null | undefined;
  httpCode?: string | null;
}

/** The code of core that an error of the node stands for; undefined for any other error. */
export const codeOfNodeError = ({ name, message }: NodeFailure): ErrorCode | undefined =>
  name === 'NodeApiError' || name === 'NodeOperationError'
    ? codes.find(([, words]) => words.test(message))?.[0]
    : undefined;
