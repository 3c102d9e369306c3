export type { CallOptions } from './base/call-options.ts';
export type { ChangesState } from './base/changes-state.ts';
export {
  type ErrorCode,
  type ErrorReason,
  isOrderLicenseError,
  isRateLimitError,
  OrderLicenseError,
  RateLimitError,
} from './base/errors.ts';
export type { ClientEvent, OnEvent } from './base/events.ts';
export type { Host, HttpRequest, HttpResponse } from './base/host.ts';
export { bodyTooLargeError, connectionError, timeoutError } from './base/host-errors.ts';
export { type Client, createClient } from './client/client.ts';
export type { ClientOptions, PortableClientOptions } from './client/client-options.ts';
export type { StatusCounts } from './list/count-by-status.ts';
export type { FoundOrder, OrderFinder } from './list/find-order.ts';
export type { WalkGap } from './list/gaps.ts';
export type { OrderDetail, OrderDetailsOptions } from './list/order-details.ts';
export { combineGroups, sumOrders } from './list/sum-orders.ts';
export type { Totals, TotalsOptions } from './list/totals.ts';
export type { OrderPage, OrderWalk, WalkOptions } from './list/walk.ts';
export { missingCodes } from './model/code-names.ts';
export { toDate } from './model/dates.ts';
export {
  type MaskedOrder,
  type MaskOptions,
  maskOrder,
  maskOrderList,
  maskOrderSummary,
  maskUser,
} from './model/mask.ts';
export { fromMinorUnits, toMinorUnits } from './model/money.ts';
export {
  hasLicenseCodes,
  type LicenseCode,
  type Order,
  type OrderItem,
  type OrderList,
  type OrderStatus,
  type OrderSummary,
  orderStatuses,
  type StatusFilter,
  statusReading,
  type User,
} from './model/order.ts';
export type { OrderId } from './model/order-id.ts';
export type { RateLimitOptions } from './pace/rate-limit.ts';
export type { RateLimitStore } from './pace/store.ts';
export type { Changes, ChangesOptions } from './watch/changes.ts';
export { type ChangeEvent, type ChangeName, changeNames } from './watch/events.ts';
export type { WatchOptions } from './watch/watch.ts';
