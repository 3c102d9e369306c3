import type { ErrorCode } from '@order-license/core';

/**
 * Settings, by label, under which no client can use the API's responses: a required field is missing or invalid, or
 * something other than the API responds. The values are the expected error codes of each operation.
 */
export const rejections: Partial<Record<string, { me?: ErrorCode; list?: ErrorCode; detail?: ErrorCode }>> = {
  'ids=big': { list: 'invalid_response' },
  'ids=negative': { detail: 'bad_request' },
  'httpsOnly=redirect': { me: 'invalid_response', list: 'invalid_response' },
  'httpsOnly=reject': { me: 'not_business_account', list: 'not_business_account' },
  'missing=orders[].id': { list: 'invalid_response' },
  'nulls=orders[].id': { list: 'invalid_response' },
  'missing=pagination.pages': { list: 'invalid_response' },
  'nulls=pagination.pages': { list: 'invalid_response' },
  'missing=order.id': { detail: 'invalid_response' },
  'nulls=order.id': { detail: 'invalid_response' },
};
