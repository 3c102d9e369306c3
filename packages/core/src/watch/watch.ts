import type { ChangesState } from '../base/changes-state.ts';
import { checkNumber } from '../base/checks.ts';
import { isOrderLicenseError } from '../base/errors.ts';
import { type Host, maxTimerMs } from '../base/host.ts';
import type { Changes, ChangesOptions } from './changes.ts';

export interface WatchOptions extends Omit<ChangesOptions, 'state'> {
  /** Returns the state saved last; undefined at the first start. */
  load(): ChangesState | undefined | Promise<ChangesState | undefined>;
  /** Stores the state, so that a crash leaves either the old state or the new one. */
  save(state: ChangesState): void | Promise<void>;
  /** Time from the start of one poll to the start of the next, ms. @default 60_000 */
  intervalMs?: number | undefined;
  /**
   * Called with each warning of a poll.
   * @default warnings are ignored
   */
  onWarning?: ((warning: string) => void) | undefined;
}

export interface WatchCalls extends Pick<Host, 'now' | 'sleep'> {
  changes(options: ChangesOptions): Promise<Changes>;
}

/**
 * Polls until `signal` aborts. Saves the state of a poll when the consumer requests the next event after the poll's
 * last one: by then, the last event has been handled. Also saves the state after a poll without events or with an error.
 * @throws `configuration` for an `intervalMs` that no timer can wait for
 */
export async function* watchChanges(
  calls: WatchCalls,
  options: WatchOptions,
): AsyncGenerator<Changes['events'][number], void> {
  const { load, save, intervalMs = 60_000, onWarning, ...selection } = options;
  checkNumber('intervalMs', intervalMs, 0, maxTimerMs);
  const { signal } = options;
  let state = (await load()) ?? undefined;
  while (!signal?.aborted) {
    const startedAt = calls.now();
    const changes = await calls.changes({ ...selection, state }).catch(async (error: unknown) => {
      if (signal?.aborted) return;
      if (!isOrderLicenseError(error) || !error.state) throw error;
      for (const warning of error.warnings ?? []) onWarning?.(warning);
      await save(withoutSilence(error.state));
      throw error;
    });
    if (!changes) return;
    for (const warning of changes.warnings) onWarning?.(warning);
    yield* changes.events;
    state = changes.state;
    await save(withoutSilence(state));
    // Many events have accumulated: the next poll continues at once, as long as polls find something.
    if (!changes.complete && changes.events.length > 0) continue;
    await calls.sleep(Math.max(0, startedAt + intervalMs - calls.now()), signal).catch(() => undefined);
  }
}

/** Returns the state to save: after a restart, the ten minutes of incomplete polls start over. */
const withoutSilence = (state: ChangesState): ChangesState => ({ ...state, silentSince: null });
