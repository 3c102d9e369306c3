import type { ChangeEvent, Order } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { protectOrder } from '../shared/license-keys';
import { codeItem, mergeOrder, type OutputForm, orderItems, progressOf } from '../shared/output';

/** Converts an event to an output item. Without details, only license code events contain license keys. */
export const toItem = (event: ChangeEvent, form: OutputForm): IDataObject => {
  const head: IDataObject = { eventId: event.eventId, event: event.event };
  if (event.event === 'licenseCodeAvailable') {
    const order = wholeOf(event, form);
    const fields = codeItem(order, event.item, event.code, form);
    return { ...head, ...fields, ...(form.simplify && progressOf(protectOrder(order, form.licenseKeys))) };
  }
  if (event.event === 'statusChanged') head.previousStatus = event.previousStatus;
  const [fields = {}] = orderItems(merge(event, form), 'orders', { ...form, isEntry: !event.details });
  return form.simplify ? { ...head, ...fields } : { ...head, order: fields };
};

/** Returns the same object for all codes of an order, so that the order is masked only once. */
const wholeOf = (event: ChangeEvent, form: OutputForm): Order => {
  const { details } = event;
  const known = details && merged.get(details);
  if (known) return known;
  const whole = merge(event, form);
  if (details) merged.set(details, whole);
  return whole;
};

/** Adds an order's details to its list entry. The status is always the one from the event. */
const merge = ({ order, details }: ChangeEvent, form: OutputForm): Order => ({
  ...mergeOrder(order, details, form),
  status: order.status,
});

const merged = new WeakMap<Order, Order>();
