/** Why a request gets an error. */
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

/** Why the received bytes are not a request. */
export type Malformed = 'malformed' | 'slowRequest' | 'headersTooLarge';
