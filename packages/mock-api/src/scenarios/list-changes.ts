import type { Status } from '../data/order.ts';
import { mix } from '../data/random.ts';
import type { StateStore } from '../data/state.ts';
import { utcText } from '../data/utc-time.ts';

const next: Record<Status, readonly Status[]> = {
  ausstehend: ['bezahlt', 'storniert'],
  bezahlt: ['abgeschlossen', 'storniert'],
  abgeschlossen: [],
  storniert: [],
};

/**
 * Moves random orders to their next status. Inserts a new order for each one that has no next status.
 * @param serial seeds the changes
 * @param now ms since 1970
 */
export const changeList = (
  state: StateStore,
  { account, changes }: { account: string; changes: number },
  serial: number,
  now: number,
): void => {
  const store = state.orders(account);
  for (let n = 0; n < changes; n++) {
    const dice = mix(serial, n, 1);
    const [order] = store.count() > 0 ? store.page(dice % store.count(), 1) : [];
    const moves = order ? next[order.status] : [];
    const status = moves[mix(serial, n, 2) % Math.max(1, moves.length)];
    if (order && status) state.setStatus(order.id, status);
    else {
      const newest = store.page(0, 1)[0]?.createdAt ?? 0;
      const created_at = utcText(Math.max(now, newest));
      state.insertOrder(account, { status: 'ausstehend', created_at, items: [{ menge: 2 }] });
    }
  }
};
