import type { Host } from './host.ts';
import type { Ledger, RateLimit } from './ledger.ts';
import { createMemoryLedger, type MemoryLedger } from './memory-ledger.ts';
import { createPacer, type Pacer } from './pacer.ts';

export interface SharedPacerOptions {
  host: Host;
  baseUrl: string;
  apiKey: string;
  rateLimit: RateLimit;
  concurrency: number;
  ledger: Ledger | undefined;
}

interface KnownPacer {
  ledger: MemoryLedger;
  pacer: Pacer;
}

const byKey = new Map<string, KnownPacer>();
const byLedger = new WeakMap<Ledger, Pacer>();

/**
 * The pacer of one key: the limit is per key (§8), so all clients of the process have to queue in one place. With a
 * ledger of its own, a client shares with those who were given the same ledger. Asked at every call, so that idle
 * pacers can be forgotten and no two clients ever hold different ones.
 */
export const sharedPacer = ({ host, baseUrl, apiKey, rateLimit, concurrency, ledger }: SharedPacerOptions): Pacer => {
  const { requests, windowMs, guardMs, minGapMs } = rateLimit;
  if (ledger) {
    const pacer = byLedger.get(ledger) ?? createPacer({ ledger, host, minGapMs, concurrency });
    byLedger.set(ledger, pacer);
    return pacer;
  }
  const key = `${baseUrl}\n${apiKey}`;
  const known = byKey.get(key);
  if (known && !isIdle(known)) {
    known.ledger.restrict(requests);
    return known.pacer;
  }
  // An idle ledger knows nothing that still matters, and made anew it takes the limits as they are set now.
  for (const [key, idle] of byKey) if (isIdle(idle)) byKey.delete(key);
  const own = createMemoryLedger({ requests, windowMs, guardMs, now: host.now });
  const pacer = createPacer({ ledger: own, host, minGapMs, concurrency });
  byKey.set(key, { ledger: own, pacer });
  return pacer;
};

/** A pacer whose ledger has room again may still hold those in its queue who have not been told. */
const isIdle = ({ ledger, pacer }: KnownPacer): boolean => ledger.isIdle() && pacer.isIdle();
