/**
 * Settings, by label, under which no client can use the API's responses: a required field is missing or invalid, or
 * something other than the API responds. The values are the codes of the errors, in the
 * order in which they occur.
 */
export const rejections: Record<string, string> = {
  'ids=big': 'invalid_response,bad_request',
  'ids=negative': 'bad_request',
  'httpsOnly=redirect': 'invalid_response',
  'httpsOnly=reject': 'not_business_account',
  'missing=orders[].id': 'invalid_response',
  'nulls=orders[].id': 'invalid_response',
  'missing=pagination.pages': 'invalid_response',
  'nulls=pagination.pages': 'invalid_response',
  'missing=order.id': 'invalid_response',
  'nulls=order.id': 'invalid_response',
  adversarial: 'invalid_response,not_found',
};
