import type { ClientEvent } from '@order-license/core/portable';

/** If a request of an export waits at least this long, the export uses all permits, ms. */
const minWaitMs = 2_000;
/** For this long after its wait an export is assumed to be running, ms. */
const afterWaitMs = 30_000;

/** When an export is assumed to end, per base URL and key, by `performance.now`. */
const busyUntil = new Map<string, number>();

interface Key {
  baseUrl: string;
  apiKey: string;
}

const nameOf = ({ baseUrl, apiKey }: Key): string => `${baseUrl}\n${apiKey}`;

/** Records an event of a client with this key if it is such a wait. */
export const recordWait = (key: Key, event: ClientEvent): void => {
  if (event.type !== 'wait' || event.priority !== 'bulk' || event.waitMs < minWaitMs) return;
  const now = performance.now();
  for (const [name, until] of busyUntil) if (until < now) busyUntil.delete(name);
  busyUntil.set(nameOf(key), now + event.waitMs + afterWaitMs);
};

/** Whether an export of this process uses all permits of the key, so that other uses should send little. */
export const isBusy = (key: Key): boolean => (busyUntil.get(nameOf(key)) ?? 0) > performance.now();
