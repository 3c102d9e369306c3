import { hasLicenseCodes, type LicenseCode, type OrderItem } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { protectOrder } from '../shared/license-keys';
import { type AnyOrder, codeItem, type OutputForm, orderItems, withoutItems } from '../shared/output';

export type EventName = 'newOrder' | 'paidOrCompleted' | 'statusChanged' | 'licenseCodesAvailable';

/** Which events of which orders start the workflow, as set in the node. */
export interface Subscription {
  events: readonly EventName[];
  /** Only orders that have one of these statuses at that time; empty for any. */
  statuses: readonly string[];
  /** Whether completed and cancelled orders are watched too. */
  watchClosed: boolean;
  /** Whether each order is read in full. */
  includeDetails: boolean;
  /** Whether license keys are masked or left out. */
  masks: boolean;
}

/** Something that happened to an order. The `eventId` depends only on the event, so a repeat has the same one. */
export type TriggerEvent = { eventId: string; order: AnyOrder } & (
  | { event: 'newOrder' | 'paidOrCompleted' }
  | { event: 'statusChanged'; previousStatus: string | null }
  | { event: 'licenseCodesAvailable'; position: OrderItem; code: LicenseCode }
);

export const isWanted = ({ events, statuses }: Subscription, event: EventName, status: string): boolean =>
  events.includes(event) && (statuses.length === 0 || statuses.includes(status));

/** Paid or completed: the statuses with license codes (§3). They do not imply payment (U-21). */
export const isPaidOrCompleted = (status: string): boolean => hasLicenseCodes(status) === true;

export const newOrder = (order: AnyOrder): TriggerEvent => ({
  event: 'newOrder',
  eventId: `new-order:${order.id}`,
  order,
});

export const paidOrCompleted = (order: AnyOrder): TriggerEvent => ({
  event: 'paidOrCompleted',
  eventId: `paid-or-completed:${order.id}`,
  order,
});

export const statusChanged = (order: AnyOrder, previousStatus: string | null): TriggerEvent => ({
  event: 'statusChanged',
  eventId: `status:${order.id}:${order.status}`,
  order,
  previousStatus,
});

export const licenseCodeAvailable = (
  order: AnyOrder,
  { position, positionId, code, codeId }: PlacedCode,
): TriggerEvent => ({
  event: 'licenseCodesAvailable',
  eventId: `license-code:${order.id}:${positionId}:${codeId}`,
  order,
  position,
  code,
});

/** A license code and its place in the order. */
export interface PlacedCode {
  position: OrderItem;
  positionId: string;
  code: LicenseCode;
  codeId: string;
}

/** An event as output. Without details, only license code events contain license keys. */
export const toItem = (event: TriggerEvent, form: OutputForm, includeDetails: boolean): IDataObject => {
  const { eventId, order } = event;
  const head: IDataObject = { eventId, event: event.event };
  if (event.event === 'licenseCodesAvailable') {
    return { ...head, ...codeItem(order, event.position, event.code, form) };
  }
  if (event.event === 'statusChanged') head.previousStatus = event.previousStatus;
  // Other fields can also contain a key, so keys are masked before fields are selected.
  const shown = protectOrder(order, form.licenseKeys);
  const whole = includeDetails || form.simplify ? shown : withoutItems(shown);
  const [fields = {}] = orderItems(whole, 'orders', includeDetails ? form : { ...form, licenseKeys: 'full' });
  if (!form.simplify) return { ...head, order: fields };
  // An order that was read individually lacks list fields. They are omitted, since null would be a value.
  const listed = Object.entries(fields).filter(([name]) => includeDetails || !detailFields.includes(name));
  return { ...head, ...Object.fromEntries(listed) };
};

/** Fields that a simplified order has only with details. */
const detailFields = ['billingAddress', 'lineItems'];
