import type { OrderSummary } from '../model/order.ts';
import type { ListEntry } from './events.ts';
import { hash } from './hash.ts';
import type { Poll } from './poll.ts';
import { type Awaited, rankOf, type Watched } from './state.ts';

export interface Sighting {
  id: string;
  status: string;
  /** Its list entry, if this poll has seen it. */
  entry: OrderSummary | undefined;
  known: Watched | undefined;
  isNew: boolean;
}

/** Decides whether to wait for license codes of an order: those it gets while it is watched are events. */
export const awaitCodes = (poll: Poll, { id, status, entry, known, isNew }: Sighting): void => {
  const { memory, now } = poll;
  if (!memory.hasCodes) return;
  const awaited = memory.awaited.get(id);
  if (rankOf(status) === 0) {
    // It may be paid again, and its codes are known.
    if (awaited) awaited.due = undefined;
    return;
  }
  const states = entry ? statesOf(entry) : (awaited?.states ?? '');
  const fresh = (known: Awaited['known'] = new Set(), before?: string): Awaited => {
    return { since: now, due: now, isUrgent: true, states, known, before };
  };
  const hasChanged = known !== undefined && known.status !== status;
  if (isNew) {
    // If it has no date, a status list may have shown it before the head of the list did.
    if (known) known.before = undefined;
    memory.awaited.set(id, fresh());
  } else if (known?.before) {
    const { delivery, isRead } = known.before;
    if (entry && delivery === unlisted) known.before.delivery = deliveryOf(entry);
    else if (entry && deliveryOf(entry) !== delivery) {
      known.before = undefined;
      memory.awaited.set(id, fresh());
    } else if (entry && isRead) known.before = undefined;
    else if (hasChanged) {
      known.before = undefined;
      memory.awaited.set(id, fresh(awaited?.known, delivery));
    }
  } else if (awaited) {
    if (!hasChanged && states === awaited.states) return;
    Object.assign(awaited, { due: now, isUrgent: true, states, since: hasChanged ? now : awaited.since });
  } else if (hasChanged && rankOf(known.status) === 0) memory.awaited.set(id, fresh());
};

/** The delivery status of an order that no list has shown yet. */
export const unlisted = '';

export const deliveryOf = ({ lieferstatus }: Pick<ListEntry, 'lieferstatus'>): string => hash(String(lieferstatus));

const statesOf = ({ status, zahlungsstatus, lieferstatus }: OrderSummary): string =>
  hash(`${status}|${zahlungsstatus}|${lieferstatus}`);
