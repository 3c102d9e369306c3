export type { Host, HttpRequest, HttpResponse } from './base/host.ts';
export { bodyTooLargeError, connectionError, timeoutError } from './base/host-errors.ts';
export { stackFrames } from './base/stack-frames.ts';
export { orderIdPattern, readOrderId } from './model/order-id.ts';
export { orderNumberText } from './model/order-number.ts';
export { checkApiKey } from './wire/api-key.ts';
export { checkBaseUrl, plainHttpHost } from './wire/base-url.ts';
