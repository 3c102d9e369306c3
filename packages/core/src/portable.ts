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
export type { ApiKey } from './call/api-key.ts';
export type { ListQuery } from './call/operations.ts';
export type { FindDeviations } from './call/report-deviations.ts';
export { type Client, createClient } from './client/client.ts';
export type { ClientOptions, PortableClientOptions } from './client/client-options.ts';
export { type CombinedGroup, combineGroups } from './list/combine-groups.ts';
export type { CountOptions, StatusCounts } from './list/count-by-status.ts';
export type { FindOptions, FoundOrder, OrderFinder } from './list/find-order.ts';
export type { OrderDetail, OrderDetailsOptions } from './list/order-details.ts';
export type { OrderWalk } from './list/order-walk.ts';
export { type OrderSums, sumOrders, type TotalsGroup, type UnreadableOrder } from './list/sum-orders.ts';
export type { Totals, TotalsGap, TotalsOptions } from './list/totals.ts';
export type { OrderPage } from './list/walk.ts';
export type { WalkGap } from './list/walk-gaps.ts';
export type { WalkOptions } from './list/walk-options.ts';
export type { ListChanges } from './list/walk-progress.ts';
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
export {
  type CodeType,
  hasLicenseCodes,
  type LicenseCode,
  type Order,
  type OrderItem,
  type OrderList,
  type OrderStatus,
  type OrderSummary,
  orderStatuses,
  type Pagination,
  type StatusFilter,
  statusReading,
  type User,
} from './model/order.ts';
export type { OrderId } from './model/order-id.ts';
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './pace/memory-store.ts';
export type { RateLimitOptions } from './pace/rate-limit.ts';
export type { Denial, Permit, RateLimit, RateLimitStore } from './pace/store.ts';
