import { randomBytes } from 'node:crypto';
import { checkApiKey } from '../portable/api-key.ts';
import { checkBaseUrl } from '../portable/base-url.ts';
import { checkNumber } from '../portable/check-number.ts';
import { createEmit } from '../portable/emit.ts';
import { configurationError } from '../portable/errors.ts';
import type { OnEvent } from '../portable/events.ts';
import { defaultRateLimit, type Ledger, type RateLimit } from '../portable/ledger.ts';
import { ledgerKey } from './ledger-key.ts';
import { type Facts, type LedgerStore, type Standing, waitMs } from './ledger-store.ts';
import { createOwnPermits } from './own-permits.ts';
import { warn } from './warn.ts';

export interface SharedLedgerOptions extends Partial<Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'>> {
  /** Address of the service, as given to the client. */
  baseUrl: string;
  /** API key, as given to the client. Only a SHA-256 hash of it and the address leaves this process. */
  apiKey: string;
  /** Milliseconds on a monotonic clock: the `now` of the client's host. @default performance.now */
  now?: (() => number) | undefined;
  /** Called when the store stops answering and when it answers again. */
  onEvent?: OnEvent | undefined;
}

export interface SharedLedger extends Ledger, AsyncDisposable {
  /**
   * Without an answer from the store it is decided in memory.
   * @throws `configuration` once the ledger has been closed
   */
  take(): ReturnType<Ledger['take']>;
  forecast(): Promise<(ahead: number) => number>;
  /**
   * Enters what ended calls have left to enter, then lets go of the file or the connection for good. Close it after the
   * last call: permits of requests under way are
   * then released by time alone, and calls that still wait fail. The same as `Symbol.asyncDispose`.
   */
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
 *
 * A process without its store knows nothing of the others, so it takes a quarter of the limit: four that have lost the
 * store together stay within it. If the limit was full when the store was last heard, it first lets all of that come
 * back. And it keeps to its quarter for one more window and guard after the store is back: the store may have come back
 * empty, and each of the others enters what it knows only when it next asks.
 * @throws `configuration` for options that cannot be right
 */
export const createSharedLedger = (
  options: SharedLedgerOptions,
  { kind, open, explain }: StoreToOpen,
): SharedLedger => {
  const requests = checkNumber('requests', options.requests ?? defaultRateLimit.requests, 1, 1_000_000);
  const windowMs = checkNumber('windowMs', options.windowMs ?? defaultRateLimit.windowMs, 1, 86_400_000);
  const guardMs = checkNumber('guardMs', options.guardMs ?? defaultRateLimit.guardMs, 0, 86_400_000);
  const { now = () => performance.now() } = options;
  const emit = createEmit(options.onEvent, { warn });
  const key = ledgerKey(checkBaseUrl(options.baseUrl), checkApiKey(options.apiKey));
  const holdMs = windowMs + guardMs;
  const share = Math.max(1, Math.floor(requests / 4));
  const own = createOwnPermits(holdMs, now);
  const name = randomBytes(9).toString('base64url');
  let named = 0;
  let opened: Promise<LedgerStore> | undefined;
  /** The store that those who listen were last told about, or had no need to be. */
  let told: Promise<LedgerStore> | undefined;
  let isLost = false;
  let isClosed = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Under way to the store: a call does not wait for them, so `close` has to. */
  const entering = new Set<Promise<void>>();
  let refusal: { standing: Standing; at: number } | undefined;

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

  const letGo = async (given = opened): Promise<void> => {
    if (opened !== given) return;
    opened = undefined;
    const store = await given?.catch(() => undefined);
    store?.close();
  };

  const tellLost = (problem: string): void =>
    emit({ type: 'ledger_unavailable', store: kind, problem, requests: share });

  /** The answer of the store, or undefined when it gives none. One that only has to be opened again may be empty. */
  const ask = async <Answer>(question: (store: LedgerStore) => Promise<Answer>): Promise<Answer | undefined> => {
    let reopened = false;
    while (!isClosed && (!isLost || now() >= failedAt + retryEveryMs)) {
      const wasOpen = opened !== undefined;
      opened ??= openAndMerge();
      const asked = opened;
      try {
        const answer = await question(await asked);
        const isNews = reopened && told !== asked;
        if (isNews) tellLost('it had to be opened again');
        if (isNews || isLost) emit({ type: 'ledger_available', store: kind });
        told = asked;
        isLost = false;
        return answer;
      } catch (error) {
        await letGo(asked);
        if (isClosed) break;
        failedAt = now();
        reopened = wasOpen && !isLost;
        if (reopened) continue;
        if (!isLost) tellLost(explain(error));
        isLost = true;
      }
    }
    return undefined;
  };

  const enter = async (facts: Facts): Promise<void> => {
    const asked = ask((store) => store.merge(facts));
    entering.add(asked);
    await asked.finally(() => entering.delete(asked));
  };

  /** What the last refusal of the store said, as of now. */
  const lastHeard = (): Standing => {
    const { standing, at } = refusal ?? { standing: { returnsInMs: [], pausedMs: 0 }, at: now() };
    const passed = now() - at;
    const returnsInMs = standing.returnsInMs.map((ms) => ms - passed).filter((ms) => ms > 0);
    return { returnsInMs, pausedMs: standing.pausedMs - passed };
  };

  /** How long this process has to wait by what it knows itself, because the store is lost or was until lately. */
  const ownWaits = (): ((ahead: number) => number) => {
    if (now() >= failedAt + retryEveryMs + holdMs && !isLost) return () => 0;
    const untilAllIsBack = isLost ? (lastHeard().returnsInMs.at(-1) ?? 0) : 0;
    const standing = own.standing();
    return (ahead) => Math.max(waitMs(standing, ahead, share, holdMs), untilAllIsBack);
  };

  /** Not when everybody has to wait, because the service answered 429. */
  const isReduced = (): boolean => own.standing().pausedMs <= 0;

  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.allSettled(entering);
    await letGo();
  };

  return {
    async take() {
      const id = `${name}.${++named}`;
      const answer = await ask(async (store) => (ownWaits()(0) > 0 ? 'held' : store.take(id, requests)));
      if (isClosed) throw configurationError('The ledger has been closed; create another for further calls.');
      const at = now();
      if (typeof answer === 'object') {
        refusal = { standing: answer, at };
        own.pause(at + answer.pausedMs);
        return { retryAt: at + waitMs(answer, 0, requests, holdMs) };
      }
      if (answer === 'held') return { retryAt: at + ownWaits()(0), reduced: isReduced() };
      const heldMs = answer ? 0 : ownWaits()(0);
      if (heldMs > 0) return { retryAt: Math.min(at + heldMs, failedAt + retryEveryMs), reduced: isReduced() };
      own.take(id);
      return { permit: { id } };
    },
    async settle({ id }) {
      own.settle(String(id));
      await enter({ permits: new Map([[String(id), holdMs]]), pausedMs: 0 });
    },
    async giveBack({ id }) {
      own.giveBack(String(id));
      await enter({ permits: new Map([[String(id), 0]]), pausedMs: 0 });
    },
    async pause(until) {
      own.pause(until);
      await enter({ permits: new Map(), pausedMs: until - now() });
    },
    async forecast() {
      // From the last refusal, so that telling a thousand in the queue how long it will be costs the store nothing.
      const [at, own, heard] = [now(), ownWaits(), lastHeard()];
      return (ahead) => at + Math.max(own(ahead), isLost ? 0 : waitMs(heard, ahead, requests, holdMs));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
