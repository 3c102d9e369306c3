import type { Client } from '@order-license/core/portable';
import { codesOf, positionsOf } from '../shared/output';
import type { Happening } from './happening';
import { isWanted, type Wanted } from './observe';
import { mayHaveCodes } from './watch';

/** Orders that are read in the search for one that has codes. */
const mostReads = 3;

/** For the editor: the newest order, or license code, as each happening that the user wants would tell it. */
export const sampleOf = async (client: Client, wanted: Wanted): Promise<Happening[]> => {
  const { orders } = await client.listOrders({ page: 1, perPage: 50 });
  const happened: Happening[] = [];
  const newest = orders.find(({ status }) => wanted.statuses.length === 0 || wanted.statuses.includes(status));
  if (newest && isWanted(wanted, 'newOrder', newest.status)) {
    happened.push({ event: 'newOrder', eventId: `new-order:${newest.id}`, order: newest });
  }
  if (newest && isWanted(wanted, 'statusChanged', newest.status)) {
    const eventId = `status:${newest.id}:1:${newest.status}`;
    happened.push({ event: 'statusChanged', eventId, order: newest, previousStatus: null });
  }
  if (!wanted.events.includes('licenseCodesAvailable')) return happened;

  const paid = orders.filter(({ status }) => mayHaveCodes(status) && isWanted(wanted, 'licenseCodesAvailable', status));
  for (const { id } of paid.slice(0, mostReads)) {
    const order = await client.getOrder(id);
    for (const position of positionsOf(order)) {
      const [code] = codesOf(position);
      if (!code) continue;
      const eventId = `license-code:${id}:${position.id}:${code.id}`;
      return [...happened, { event: 'licenseCodesAvailable', eventId, order, position, code }];
    }
  }
  return happened;
};
