/** The HTTP status and the error text for each reason why a request can fail. */
export const errors = {
  badRequest: [400, 'The request is invalid.'],
  unauthorized: [401, 'The API key is invalid or inactive.'],
  notBusiness: [403, 'This account is not a business account: it has no company and no VAT ID.'],
  httpsOnly: [403, 'This API is available over HTTPS only.'],
  orderNotFound: [404, 'There is no such order.'],
  pathNotFound: [404, 'There is no such resource.'],
  outside: [404, 'This path is not part of the API, which starts at /api/v1.'],
  method: [405, 'This method is not allowed; use GET.'],
  notAcceptable: [406, 'This API returns application/json only.'],
  rateLimited: [429, 'The rate limit is exceeded.'],
  server: [500, 'Something went wrong on the server.'],
  malformed: [400, 'This is not a valid HTTP request.'],
  slowRequest: [408, 'The request took too long to arrive.'],
  headersTooLarge: [431, 'The request headers are too large.'],
} as const;

export type ErrorReason = keyof typeof errors;

/** The errors for bytes that are not a valid HTTP request. */
export type Malformed = 'malformed' | 'slowRequest' | 'headersTooLarge';
