import { randomBytes } from 'node:crypto';
import { checkNumber } from '../base/check-number.ts';
import { createEmit } from '../base/emit.ts';
import { configurationError } from '../base/errors.ts';
import type { OnEvent } from '../base/events.ts';
import { checkApiKey } from '../call/api-key.ts';
import { readBaseUrl } from '../call/base-url.ts';
import { warn } from '../node/warn.ts';
import { createOwnPermits } from './own-permits.ts';
import type { LimitUpdate, PermitTable, TableState } from './permit-table.ts';
import { defaultRateLimit, type RateLimit, type RateLimitStore } from './store.ts';
import { storeKey } from './store-key.ts';
import { waitMs } from './wait-ms.ts';

export interface SharedStoreOptions extends Partial<Pick<RateLimit, 'requests' | 'windowMs' | 'guardMs'>> {
  /** Address of the service, as passed to the client. */
  baseUrl: string;
  /** API key, as passed to the client. Only a SHA-256 hash of the key and the address leaves this process. */
  apiKey: string;
  /** Milliseconds on a monotonic clock: the `now` of the client's host. @default performance.now */
  now?: (() => number) | undefined;
  /** Called when the file or Redis stops or resumes answering. */
  onEvent?: OnEvent | undefined;
}

export interface SharedStore extends RateLimitStore, AsyncDisposable {
  readonly requests: number;
  /**
   * If the file or Redis does not answer, this process decides in memory.
   * @throws `configuration` once the store has been closed
   */
  take(reserve?: number): ReturnType<RateLimitStore['take']>;
  /**
   * Finishes pending writes, then closes the file or the connection for good. Call it after the last call: otherwise
   * waiting calls fail, and permits of requests in flight return only when they expire. Same as `Symbol.asyncDispose`.
   */
  close(): Promise<void>;
}

export interface TableToOpen {
  kind: 'sqlite' | 'redis';
  open(key: string, holdMs: number): Promise<PermitTable>;
  /** A description of the problem, without secrets. */
  explain(error: unknown): string;
}

/** Interval between retries of an unavailable table, ms; retried only while a caller needs it. */
const retryEveryMs = 5_000;

/**
 * A store that several processes share, with a fallback to memory.
 *
 * A process without its table has no information about the others, so it takes a quarter of the limit: four processes
 * that lose the table together stay within the limit. If the limit was full at the last contact with the table, the
 * process first waits until all of it has returned, even if the table was reopened at once: the others may hold more
 * than a quarter each. After the table is back, the process keeps to its quarter for one more window and guard: the
 * table may have come back empty, and each of the others records what it knows only at its next query.
 * @throws `configuration` for invalid options
 */
export const createSharedStore = (options: SharedStoreOptions, { kind, open, explain }: TableToOpen): SharedStore => {
  const requests = checkNumber('requests', options.requests ?? defaultRateLimit.requests, 1, 1_000_000);
  const windowMs = checkNumber('windowMs', options.windowMs ?? defaultRateLimit.windowMs, 1, 86_400_000);
  const guardMs = checkNumber('guardMs', options.guardMs ?? defaultRateLimit.guardMs, 0, 86_400_000);
  const { now = () => performance.now() } = options;
  const emit = createEmit(options.onEvent, { warn });
  const key = storeKey(readBaseUrl(options.baseUrl), checkApiKey(options.apiKey));
  const holdMs = windowMs + guardMs;
  const share = Math.max(1, Math.floor(requests / 4));
  const own = createOwnPermits(holdMs, now);
  const name = randomBytes(9).toString('base64url');
  let named = 0;
  let opened: Promise<PermitTable> | undefined;
  /** The table whose state needs no further report: reported, or never lost. */
  let reported: Promise<PermitTable> | undefined;
  let isLost = false;
  let isClosed = false;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Writes to the table in flight: calls do not wait for them, so `close` has to. */
  const entering = new Set<Promise<void>>();
  let refusal: { state: TableState; at: number } | undefined;

  /**
   * Whenever a table is opened, this process records what it knows. So permits taken in memory count for every process
   * once the table is back, and its users refill a table that came back empty. Counting in memory until no permit is
   * out would be wrong: under load that never happens, and until then the other processes would not see them.
   */
  const openAndMerge = async (): Promise<PermitTable> => {
    const table = await open(key, holdMs);
    try {
      await table.merge(own.update());
      return table;
    } catch (error) {
      table.close();
      throw error;
    }
  };

  const letGo = async (given = opened): Promise<void> => {
    if (opened !== given) return;
    opened = undefined;
    const table = await given?.catch(() => undefined);
    table?.close();
  };

  const reportLost = (problem: string): void =>
    emit({ type: 'store_unavailable', store: kind, problem, requests: share });

  /** The table's answer, or undefined if it has none. A table that had to be reopened may be empty. */
  const ask = async <Answer>(question: (table: PermitTable) => Promise<Answer>): Promise<Answer | undefined> => {
    let reopened = false;
    while (!isClosed && (!isLost || now() >= failedAt + retryEveryMs)) {
      const wasOpen = opened !== undefined;
      opened ??= openAndMerge();
      const asked = opened;
      try {
        const answer = await question(await asked);
        const isNews = reopened && reported !== asked;
        if (isNews) reportLost('it had to be reopened');
        if (isNews || isLost) emit({ type: 'store_available', store: kind });
        reported = asked;
        isLost = false;
        return answer;
      } catch (error) {
        await letGo(asked);
        if (isClosed) break;
        failedAt = now();
        reopened = wasOpen && !isLost;
        if (reopened) continue;
        if (!isLost) reportLost(explain(error));
        isLost = true;
      }
    }
    return undefined;
  };

  const enter = async (update: LimitUpdate): Promise<void> => {
    const asked = ask((table) => table.merge(update));
    entering.add(asked);
    await asked.finally(() => entering.delete(asked));
  };

  /** The table's last refusal, as of now. */
  const lastHeard = (): TableState => {
    const { state, at } = refusal ?? { state: { returnsInMs: [], pausedMs: 0 }, at: now() };
    const passed = now() - at;
    const returnsInMs = state.returnsInMs.map((ms) => ms - passed).filter((ms) => ms > 0);
    return { returnsInMs, pausedMs: state.pausedMs - passed };
  };

  /** How long this process has to wait according to its own permits, because the table is or was recently lost. */
  const ownWaits = (reserve: number): ((ahead: number) => number) => {
    if (now() >= failedAt + retryEveryMs + holdMs && !isLost) return () => 0;
    const heardBefore = refusal !== undefined && refusal.at <= failedAt;
    const untilAllIsBack = heardBefore ? (lastHeard().returnsInMs.at(-1) ?? 0) : 0;
    const state = own.state();
    const most = Math.max(1, share - Math.floor((reserve * share) / requests));
    return (ahead) => Math.max(waitMs(state, ahead, most, holdMs), untilAllIsBack);
  };

  /** Maximum number of permits out if `reserve` of them are kept for others. */
  const mostOut = (reserve: number): number => Math.max(1, requests - reserve);

  /** Not during a pause after a 429, which applies to every process. */
  const isReduced = (): boolean => own.state().pausedMs <= 0;

  const forecast = (ahead: number, reserve = 0): number =>
    now() + Math.max(ownWaits(reserve)(ahead), isLost ? 0 : waitMs(lastHeard(), ahead, mostOut(reserve), holdMs));

  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.allSettled(entering);
    await letGo();
  };

  return {
    requests,
    async take(reserve = 0) {
      const most = mostOut(reserve);
      const id = `${name}.${++named}`;
      const answer = await ask(async (table) => (ownWaits(reserve)(0) > 0 ? 'held' : table.take(id, most)));
      if (isClosed) throw configurationError('The store has been closed', 'Create a new one for further calls.');
      const at = now();
      if (typeof answer === 'object') {
        refusal = { state: answer, at };
        own.pause(at + answer.pausedMs);
        return { retryAt: at + waitMs(answer, 0, most, holdMs), forecast };
      }
      if (answer === 'held') return { retryAt: at + ownWaits(reserve)(0), reduced: isReduced(), forecast };
      const heldMs = answer ? 0 : ownWaits(reserve)(0);
      if (heldMs > 0)
        return { retryAt: Math.min(at + heldMs, failedAt + retryEveryMs), reduced: isReduced(), forecast };
      own.take(id);
      return { permit: { id } };
    },
    async settle({ id }, sent = true) {
      if (sent) own.settle(String(id));
      else own.giveBack(String(id));
      await enter({ permits: new Map([[String(id), sent ? holdMs : 0]]), pausedMs: 0 });
    },
    async pause(until) {
      own.pause(until);
      await enter({ permits: new Map(), pausedMs: until - now() });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
};
