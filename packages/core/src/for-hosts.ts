// Entry point for the other packages of this repository; not published.
export { checkBaseUrl, isLoopback, plainHttpHost } from './base/base-url.ts';
export { checkApiKey } from './base/check-api-key.ts';
export { codeOf, isObject, objectsIn } from './base/checks.ts';
export { argumentError, composeMessage, concernsEveryOrder, configurationError, ownMessage } from './base/errors.ts';
export { checkNumber, describeSpan, type OrderSearch } from './base/order-search.ts';
export { stackFrames } from './base/point-at-caller.ts';
export { readBody } from './base/read-body.ts';
export { requestFailure } from './base/request-failure.ts';
export type { ListQuery } from './call/operations.ts';
export { periodReader } from './list/periods.ts';
export { fullPage, timeOf } from './list/slice.ts';
export type { TotalsGap } from './list/totals.ts';
export { namedCodes } from './model/code-names.ts';
export { orderIdPattern, readOrderId } from './model/order-id.ts';
export { foldOrderNumber, orderNumberText } from './model/order-number.ts';
export { productNameTest } from './model/product-name.ts';
export { eventIdOf } from './watch/events.ts';
export { statusName } from './watch/state.ts';
