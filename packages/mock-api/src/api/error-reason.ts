/** Why a request is not answered with data. */
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

/** Why bytes are not read as a request at all. */
export type Malformed = 'malformed' | 'slowRequest' | 'headersTooLarge';
