import type { Client } from '@order-license/core/portable';
import { codesOf, positionsOf } from '../shared/output';
import type { Happening } from './happening';
import { isWanted, type Wanted } from './observe';
import { mayHaveCodes } from './watch';

/** Orders that are read in the search for one that has codes. */
const mostReads = 3;
/** Someone waits in the editor, and has no way to stop it. */
const longestMs = 30_000;
const longestWaitMs = 15_000;

/** For the editor: the newest order, or license code, as each happening that the user wants would tell it. */
export const sampleOf = async (client: Client, wanted: Wanted): Promise<Happening[]> => {
  const endsAt = performance.now() + longestMs;
  const bounds = () => ({ maxWaitMs: longestWaitMs, deadlineMs: Math.max(1, endsAt - performance.now()) });
  const { orders } = await client.listOrders({ page: 1, perPage: 50, ...bounds() });
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
    const order = await client.getOrder(id, bounds());
    for (const position of positionsOf(order)) {
      const [code] = codesOf(position);
      if (!code) continue;
      const eventId = `license-code:${id}:${position.id}:${code.id}`;
      return [...happened, { event: 'licenseCodesAvailable', eventId, order, position, code }];
    }
  }
  return happened;
};
