export { checkBaseUrl, plainHttpHost } from './base/base-url.ts';
export { checkApiKey } from './base/check-api-key.ts';
export { isObject } from './base/checks.ts';
export type { Host, HttpRequest, HttpResponse } from './base/host.ts';
export { bodyTooLargeError, connectionError, timeoutError } from './base/host-errors.ts';
export { stackFrames } from './base/stack-frames.ts';
export { orderIdPattern, readOrderId } from './model/order-id.ts';
export { orderNumberText } from './model/order-number.ts';
