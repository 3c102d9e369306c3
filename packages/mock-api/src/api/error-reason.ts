/** Why a request fails. */
export type ErrorReason =
  | 'badRequest'
  | 'unauthorized'
  | 'notBusiness'
  | 'orderNotFound'
  | 'pathNotFound'
  | 'method'
  | 'notAcceptable'
  | 'httpsOnly'
  | 'rateLimited'
  | 'server'
  | Malformed;

/** Why the received bytes are not a valid request. */
export type Malformed = 'malformed' | 'slowRequest' | 'headersTooLarge';
