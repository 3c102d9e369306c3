import type { ChangeEvent, Order } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { protectOrder, protectTogether } from '../shared/license-keys';
import { codeItem, mergeOrder, type OutputForm, orderItems, progressOf } from '../shared/output';

/** Converts the events of a poll to output items. Each also hides the license keys of the others. */
export const toItems = (events: readonly ChangeEvent[], form: OutputForm): IDataObject[] => {
  const items = events.map((event) => ({ event, order: orderOf(event, form) }));
  protectTogether(
    items.map(({ order }) => order),
    form.licenseKeys,
  );
  return items.map(({ event, order }) => toItem(event, form, order));
};

/**
 * Converts an event to an output item. Without details, only license code events contain license keys.
 * @param order the event's order, as `orderOf` returns it
 */
const toItem = (event: ChangeEvent, form: OutputForm, order: Order): IDataObject => {
  const head: IDataObject = { eventId: event.eventId, event: event.event };
  if (event.event === 'licenseCodeAvailable') {
    const fields = codeItem(order, event.item, event.code, form);
    return { ...head, ...fields, ...(form.simplify && progressOf(protectOrder(order, form.licenseKeys))) };
  }
  if (event.event === 'statusChanged') head.previousStatus = event.previousStatus;
  const [fields = {}] = orderItems(order, 'orders', { ...form, isEntry: !event.details });
  return form.simplify ? { ...head, ...fields } : { ...head, order: fields };
};

const orderOf = (event: ChangeEvent, form: OutputForm): Order =>
  event.event === 'licenseCodeAvailable' ? wholeOf(event, form) : merge(event, form);

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
