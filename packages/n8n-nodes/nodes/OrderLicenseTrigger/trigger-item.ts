import type { ChangeEvent, LicenseCode, Order } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { protectOrder, protectTogether } from '../shared/license-keys';
import { codesOf, lineItemsOf, mergeOrder, type OutputForm, orderItems, progressOf } from '../shared/output';

/** Converts the events of a poll to output items. Each item also hides the license keys of the other events. */
export const toItems = (events: readonly ChangeEvent[], form: OutputForm): IDataObject[] => {
  const orders = new Map<object, Order>();
  for (const event of events) {
    const source = sourceOf(event);
    if (!orders.has(source)) orders.set(source, orderOf(event, form));
  }
  protectTogether([...orders.values()], form.licenseKeys);
  const itemsByCode = new Map<LicenseCode, IDataObject>();
  return events.map((event) => {
    const order = orders.get(sourceOf(event)) as Order;
    const head: IDataObject = { eventId: event.eventId, event: event.event };
    if (event.event === 'licenseCodeAvailable') {
      if (!itemsByCode.has(event.code)) addCodes(itemsByCode, order, form);
      return { ...head, ...itemsByCode.get(event.code) };
    }
    if (event.event === 'statusChanged') head.previousStatus = event.previousStatus;
    // Without details, only license code events contain license keys.
    const [fields = {}] = orderItems(order, 'orders', { ...form, isEntry: !event.details });
    return form.simplify ? { ...head, ...fields } : { ...head, order: fields };
  });
};

/** Adds the items of all codes of an order. */
const addCodes = (itemsByCode: Map<LicenseCode, IDataObject>, order: Order, form: OutputForm): void => {
  const items = orderItems(order, 'licenseCodes', form);
  const progress = form.simplify && progressOf(protectOrder(order, form.licenseKeys));
  for (const [place, code] of lineItemsOf(order).flatMap(codesOf).entries()) {
    itemsByCode.set(code, { ...items[place], ...progress });
  }
};

/** What an event's order is made of. All codes of an order have the same source, so it is masked only once. */
const sourceOf = (event: ChangeEvent): object =>
  event.event === 'licenseCodeAvailable' ? (event.details ?? event) : event;

/** Returns an event's order: its list entry with its details, if any. The status is always the one from the event. */
const orderOf = (event: ChangeEvent, form: OutputForm): Order => {
  const { order, details } = event;
  const code = event.event === 'licenseCodeAvailable' && { items: [{ ...event.item, license_codes: [event.code] }] };
  return { ...mergeOrder(order, details ?? ((code || undefined) as Order | undefined), form), status: order.status };
};
