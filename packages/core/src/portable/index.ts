export type { CallOptions, Priority } from './base/call-options.ts';
export {
  type AnyOrderLicenseError,
  type ErrorCode,
  type ErrorFields,
  type ErrorReason,
  isOrderLicenseError,
  isRateLimitError,
  OrderLicenseError,
  RateLimitError,
} from './base/errors.ts';
export type { ClientEvent, OnEvent, RequestEvent } from './base/events.ts';
export type { OrderSearch } from './base/order-search.ts';
export type { WalkPosition } from './base/walk-position.ts';
export type { FindDeviations } from './client/caller-options.ts';
export { type Client, createClient } from './client/client.ts';
export type { ClientOptions, PortableClientOptions } from './client/client-options.ts';
export type { ListQuery } from './client/operations.ts';
export type { FindOptions, FoundOrder, OrderFinder } from './find-order/find-order.ts';
export { toDate } from './model/dates.ts';
export {
  type MaskedCounts,
  type MaskedOrder,
  type MaskOptions,
  maskOrder,
  maskOrderList,
  maskOrderSummary,
  maskUser,
} from './model/mask.ts';
export { fromMinorUnits, toMinorUnits } from './model/money.ts';
export type { CodeType, LicenseCode, Order, OrderItem } from './model/order.ts';
export type { OrderId } from './model/order-id.ts';
export type { OrderList, OrderSummary, Pagination } from './model/order-list.ts';
export type { OrderStatus } from './model/order-status.ts';
export { hasLicenseCodes, orderStatuses, type StatusFilter, statusReading } from './model/order-status.ts';
export type { User } from './model/user.ts';
export type { OrderDetail, OrderDetailsOptions } from './pagination/order-details.ts';
export type { OrderWalk } from './pagination/order-walk.ts';
export type { OrderPage } from './pagination/walk.ts';
export type { WalkGap } from './pagination/walk-gaps.ts';
export type { WalkOptions } from './pagination/walk-options.ts';
export type { ListChanges } from './pagination/walk-progress.ts';
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './rate-limit/memory-store.ts';
export type { RateLimitOptions } from './rate-limit/rate-limit.ts';
export type { Permit, RateLimit, RateLimitStore } from './rate-limit/store.ts';
export { type CombinedGroup, combineGroups } from './totals/combine-groups.ts';
export type { CountOptions, StatusCounts } from './totals/count-by-status.ts';
export { type OrderSums, sumOrders, type TotalsGroup, type UnreadableOrder } from './totals/sum-orders.ts';
export type { Totals, TotalsGap, TotalsOptions } from './totals/totals.ts';
export type { ApiKey } from './wire/api-key.ts';
