import type { Changes, ChangesOptions } from './changes.ts';
import type { ChangeEvent } from './events.ts';
import type { ChangesState } from './saved-state.ts';

export interface WatchOptions extends Omit<ChangesOptions, 'state'> {
  /** Returns what was saved last; undefined at the first start. */
  load(): ChangesState | undefined | Promise<ChangesState | undefined>;
  /** Stores the state so that a crash leaves the old or the new one. */
  save(state: ChangesState): void | Promise<void>;
  /** From the start of a poll to the next, ms. @default 60_000 */
  intervalMs?: number | undefined;
  /** Called with each warning of a poll. @default nothing */
  onWarning?: ((warning: string) => void) | undefined;
}

export interface WatchCalls {
  changes(options: ChangesOptions): Promise<Changes>;
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Polls until `signal` aborts. It saves the state when the consumer asks for the event after the last one of a poll,
 * because the consumer has then handled the last one, and after a poll without events.
 */
export async function* watchChanges(calls: WatchCalls, options: WatchOptions): AsyncGenerator<ChangeEvent, void> {
  const { load, save, intervalMs = 60_000, onWarning, ...selection } = options;
  const { signal } = options;
  let state = (await load()) ?? undefined;
  while (!signal?.aborted) {
    const startedAt = calls.now();
    const changes = await calls.changes({ ...selection, state }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
    if (!changes) return;
    for (const warning of changes.warnings) onWarning?.(warning);
    yield* changes.events;
    state = changes.state;
    // After a restart, the ten minutes of polls that end early start over.
    if (state.silentSince === null || changes.events.length > 0) await save(state);
    await calls.sleep(Math.max(0, startedAt + intervalMs - calls.now()), signal).catch(() => undefined);
  }
}
