import type { ErrorCode } from '@order-license/core';

/**
 * Responses that no client can use, by the label of the setting: a required field is missing, or the address serves
 * something else. For each operation, the code of the error.
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
