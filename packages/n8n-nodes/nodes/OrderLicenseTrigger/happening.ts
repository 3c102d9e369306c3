import type { LicenseCode, OrderItem } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { protectOrder } from '../shared/license-keys';
import { type AnyOrder, codeItem, type OutputForm, orderItems, withoutItems } from '../shared/output';

/** What a user can have told. */
export type EventName = 'newOrder' | 'statusChanged' | 'licenseCodesAvailable';

/** Something that happened. Its `eventId` is the same whenever the same thing is told again. */
export type Happening =
  | { event: 'newOrder'; eventId: string; order: AnyOrder }
  | { event: 'statusChanged'; eventId: string; order: AnyOrder; previousStatus: string | null }
  | { event: 'licenseCodesAvailable'; eventId: string; order: AnyOrder; position: OrderItem; code: LicenseCode };

/** A happening as output. Only one about license codes holds license keys. */
export const toItem = (happening: Happening, form: OutputForm): IDataObject => {
  const { event, eventId, order } = happening;
  if (event === 'licenseCodesAvailable') {
    return { eventId, event, ...codeItem(order, happening.position, happening.code, form) };
  }
  const previous = event === 'statusChanged' ? { previousStatus: happening.previousStatus } : {};
  const shown = withoutItems(protectOrder(order, form.licenseKeys));
  const [fields] = orderItems(shown, 'orders', { ...form, licenseKeys: 'full' });
  return { eventId, event, ...previous, ...(form.simplify ? fields : { order: fields }) };
};
