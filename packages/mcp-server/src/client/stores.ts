import { createHash } from 'node:crypto';
import { createRedisLedger, createSqliteLedger, type OnEvent, type SharedLedger } from '@order-license/core';
import type { Config } from '../config/config.ts';

/** Callers of the HTTP server bring keys of their own, so there may be many; the least recently used one is closed. */
const mostLedgers = 1_000;

/** By a hash of the key: a key itself is kept nowhere. */
const ledgers = new Map<string, SharedLedger>();

/** The ledger of this key, the same one for every call; undefined for core's own in memory. */
export const openLedger = (
  { baseUrl, apiKey, requestsPerMinute, ledger }: Config,
  onEvent: OnEvent,
): SharedLedger | undefined => {
  if (ledger.kind === 'memory') return undefined;
  const id = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex');
  const options = { baseUrl, apiKey, requests: requestsPerMinute, onEvent };
  const opened =
    ledgers.get(id) ??
    (ledger.kind === 'sqlite'
      ? createSqliteLedger({ ...options, path: ledger.path })
      : createRedisLedger({ ...options, redis: ledger.url }));
  ledgers.delete(id);
  ledgers.set(id, opened);
  const [oldest] = ledgers;
  if (oldest && ledgers.size > mostLedgers) {
    ledgers.delete(oldest[0]);
    oldest[1].close().catch(() => undefined); // it was to be forgotten anyway
  }
  return opened;
};
