export type {
  CodeType,
  LicenseCode,
  Order,
  OrderItem,
  OrderList,
  OrderStatus,
  OrderSummary,
  Pagination,
  User,
} from './answers.ts';
export { type ApiKey, checkApiKey } from './api-key.ts';
export { checkBaseUrl } from './base-url.ts';
export type { CallOptions, FindDeviations } from './call.ts';
export { type Client, type ClientOptions, createClient, type PortableClientOptions } from './client.ts';
export { toDate } from './dates.ts';
export {
  type AnyOrderLicenseError,
  bodyTooLargeError,
  connectionError,
  type ErrorCode,
  isOrderLicenseError,
  isRateLimitError,
  OrderLicenseError,
  RateLimitError,
  timeoutError,
} from './errors.ts';
export type { ClientEvent, OnEvent } from './events.ts';
export type { FindOptions, FindResult } from './find-order.ts';
export type { Host, HttpRequest, HttpResponse } from './host.ts';
export type { Ledger, Permit, RateLimit } from './ledger.ts';
export { createMemoryLedger, type MemoryLedger, type MemoryLedgerOptions } from './memory-ledger.ts';
export { toMinorUnits } from './money.ts';
export type { ListQuery, OrderId } from './operations.ts';
export { orderStatuses, type StatusFilter, statusReadings } from './order-status.ts';
export type { Priority } from './pacer.ts';
export type { Drift } from './tally.ts';
export type { CollectOptions, OrderPage, OrderWalk, WalkOptions } from './walk.ts';
