import { randomBytes } from 'node:crypto';
import { checkApiKey } from '../portable/api-key.ts';
import { checkBaseUrl } from '../portable/base-url.ts';
import { checkNumber } from '../portable/check-number.ts';
import type { OnEvent } from '../portable/events.ts';
import { defaultRateLimit, type Ledger, type RateLimit } from '../portable/ledger.ts';
import { ledgerKey } from './ledger-key.ts';
import { type LedgerStore, type Standing, waitMs } from './ledger-store.ts';
import { createOwnPermits } from './own-permits.ts';

export interface SharedLedgerOptions extends Partial<Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'>> {
  /** Address of the service, as given to the client. */
  baseUrl: string;
  /** API key, as given to the client. Only a SHA-256 hash of it and the address leaves this process. */
  apiKey: string;
  /** Milliseconds on a monotonic clock: the `now` of the client's host. @default performance.now */
  now?: (() => number) | undefined;
  /** Told when the store stops answering and when it answers again. Must not throw. */
  onEvent?: OnEvent | undefined;
}

export interface SharedLedger extends Ledger {
  /** Never rejects: without an answer from the store it is decided in memory. */
  take(): ReturnType<Ledger['take']>;
  forecast(ahead: number): Promise<number>;
  /** Lets go of the file or the connection. The ledger opens it again if it is used again. */
  close(): Promise<void>;
}

export interface StoreToOpen {
  kind: 'sqlite' | 'redis';
  open(key: string, holdMs: number): Promise<LedgerStore>;
  /** What went wrong, for people; without any secret. */
  explain(error: unknown): string;
}

/** While the store does not answer it is tried again this often, ms, and only when it is needed. */
const retryEveryMs = 5_000;

/**
 * A ledger that several processes share, with memory to fall back on.
 * @throws `configuration` for options that cannot be right
 */
export const createSharedLedger = (
  options: SharedLedgerOptions,
  { kind, open, explain }: StoreToOpen,
): SharedLedger => {
  const requests = checkNumber('requests', options.requests ?? defaultRateLimit.requests, 1, 1_000_000);
  const windowMs = checkNumber('windowMs', options.windowMs ?? defaultRateLimit.windowMs, 1, 86_400_000);
  const guardMs = checkNumber('guardMs', options.guardMs ?? defaultRateLimit.guardMs, 0, 86_400_000);
  const { onEvent, now = () => performance.now() } = options;
  const key = ledgerKey(checkBaseUrl(options.baseUrl), checkApiKey(options.apiKey));
  const holdMs = windowMs + guardMs;
  // Four processes that have lost the store together stay within the limit; one alone goes on at a quarter of it.
  const share = Math.max(1, Math.floor(requests / 4));
  const own = createOwnPermits(holdMs, now);
  const name = randomBytes(9).toString('base64url');
  let named = 0;
  let opened: Promise<LedgerStore> | undefined;
  let lost = false;
  let nextTryAt = Number.NEGATIVE_INFINITY;
  let latest: { standing: Standing; at: number } | undefined;

  /**
   * What this process knows is entered whenever a store is opened. So permits given from memory count for everybody
   * once the store is back, and a store that came back empty is filled again by those who use it. To go on taking from
   * memory until it is empty would be wrong: under load it never is, and until then nobody else would see it.
   */
  const openAndMerge = async (): Promise<LedgerStore> => {
    const store = await open(key, holdMs);
    try {
      await store.merge(own.facts());
      return store;
    } catch (error) {
      store.close();
      throw error;
    }
  };

  const close = async (given = opened): Promise<void> => {
    if (opened !== given) return;
    opened = undefined;
    const store = await given?.catch(() => undefined);
    store?.close();
  };

  /** The answer of the store, or undefined when it gives none. */
  const ask = async <Answer>(question: (store: LedgerStore) => Promise<Answer>): Promise<Answer | undefined> => {
    while (now() >= nextTryAt) {
      const wasOpen = opened !== undefined;
      opened ??= openAndMerge();
      const asked = opened;
      try {
        const answer = await question(await asked);
        if (lost) onEvent?.({ type: 'ledger_available', store: kind });
        lost = false;
        return answer;
      } catch (error) {
        await close(asked);
        if (wasOpen) continue; // perhaps it only has to be opened again
        nextTryAt = now() + retryEveryMs;
        if (!lost) onEvent?.({ type: 'ledger_unavailable', store: kind, problem: explain(error), requests: share });
        lost = true;
      }
    }
    return undefined;
  };

  return {
    async take() {
      const id = `${name}.${++named}`;
      const answer = await ask((store) => store.take(id, requests));
      const at = now();
      if (answer && answer !== 'granted') {
        latest = { standing: answer, at };
        own.pause(at + answer.pausedMs);
        return { retryAt: at + waitMs(answer, 0, requests, holdMs) };
      }
      const localWaitMs = answer ? 0 : waitMs(own.standing(), 0, share, holdMs);
      if (localWaitMs > 0) return { retryAt: Math.min(at + localWaitMs, nextTryAt) };
      own.take(id);
      return { permit: { id } };
    },
    async settle({ id }) {
      own.settle(String(id));
      await ask((store) => store.merge({ permits: new Map([[String(id), holdMs]]), pausedMs: 0 }));
    },
    async pause(until) {
      own.pause(until);
      await ask((store) => store.merge({ permits: new Map(), pausedMs: until - now() }));
    },
    async forecast(ahead) {
      // From the last refusal, so that telling a thousand in the queue how long it will be costs the store nothing.
      if (lost || !latest) return now() + waitMs(own.standing(), ahead, lost ? share : requests, holdMs);
      const { at, standing } = latest;
      const passed = now() - at;
      const returnsInMs = standing.returnsInMs.map((ms) => ms - passed).filter((ms) => ms > 0);
      return now() + waitMs({ returnsInMs, pausedMs: standing.pausedMs - passed }, ahead, requests, holdMs);
    },
    close: () => close(),
  };
};
