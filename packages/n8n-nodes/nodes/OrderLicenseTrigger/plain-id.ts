import { readOrderId } from '@order-license/core/host';
import { fingerprint } from './account';

/** An ID for the state and event IDs, which n8n saves: a string in place of a number could be a license key. */
export const plainId = (id: unknown): string => {
  if (Number.isSafeInteger(id)) return String(id);
  return readOrderId(id) ?? fingerprint(JSON.stringify(id) ?? '');
};
