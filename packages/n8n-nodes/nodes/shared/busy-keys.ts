import type { ClientEvent } from '@order-license/core/portable';

/** A request of an export that has to wait at least so long shows that it takes all permits that there are, ms. */
const minWaitMs = 2_000;
/** For so long after its wait an export is taken to be under way, ms. */
const afterWaitMs = 30_000;

/** By base URL and key, until when an export is under way, by `performance.now`. */
const busyUntil = new Map<string, number>();

interface Key {
  baseUrl: string;
  apiKey: string;
}

const nameOf = ({ baseUrl, apiKey }: Key): string => `${baseUrl}\n${apiKey}`;

/** Records an event of a client on this key, if it is such a wait. */
export const recordWait = (key: Key, event: ClientEvent): void => {
  if (event.type !== 'wait' || event.priority !== 'bulk' || event.waitMs < minWaitMs) return;
  const now = performance.now();
  for (const [name, until] of busyUntil) if (until < now) busyUntil.delete(name);
  busyUntil.set(nameOf(key), now + event.waitMs + afterWaitMs);
};

/** Whether an export of this process takes all the permits of the key, so that everybody else should ask for little. */
export const isBusy = (key: Key): boolean => (busyUntil.get(nameOf(key)) ?? 0) > performance.now();
