import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { createIntervals, type Intervals } from './intervals.ts';
import type { N8nProcess } from './n8n-process.ts';
import { minuteMs, sleep } from './virtual-day.ts';

/** The three polling modes of n8n 2.41. */
export type Schedule =
  /** The default: the state stays in memory and is saved with an emission. Polls can overlap, and none is aborted. */
  | 'cron'
  /**
   * With `N8N_SCHEDULER_POLL_TRIGGERS_ENABLED`: each poll starts from the saved state, and only an emission saves a new
   * state.
   */
  | 'durable'
  /**
   * With `N8N_POLLER_DURABLE_CURSORS_ENABLED` as well: a poll that returns saves its state. A poll that fails saves
   * none, and the next poll is postponed.
   */
  | 'cursors';

export interface TriggerSettings {
  id: string;
  parameters: IDataObject;
  schedule: Schedule;
  /** The time that n8n allows for a poll, ms. */
  budgetMs: number;
}

/** Items that started a workflow. */
export interface Emission {
  at: number;
  items: IDataObject[];
  /** Whether n8n crashed before it saved the state after this emission. */
  isUnsaved: boolean;
}

export interface PollCounts {
  polls: number;
  requests: number;
  /** Size of the largest saved state, bytes. */
  stateBytes: number;
}

/** A trigger in n8n, across all n8n processes: what it emitted, and its state in the database. */
export interface Poller {
  readonly settings: TriggerSettings;
  readonly emissions: Emission[];
  readonly counts: PollCounts;
  /** Times in which no poll can begin: the API or n8n is down, or n8n has postponed the next poll after a failure. */
  readonly pauses: Intervals;
  /** Activates the trigger in a process. Polls until the process is killed or the trigger is activated again. */
  activate(process: N8nProcess): Promise<void>;
  /** Sets a function to call once, after the next emission and before its state is saved. */
  killAtEmission(kill: (() => void) | undefined): void;
  isPolling(): boolean;
}

/** n8n's limit for the state of one workflow. */
const maxStateBytes = 2 ** 20;
/** Time between an emission and the saving of its state, ms. */
const savingMs = 20;

export const createPoller = (settings: TriggerSettings, random: () => number): Poller => {
  const { id: workflowId, parameters, schedule, budgetMs } = settings;
  const emissions: Emission[] = [];
  const counts = { polls: 0, requests: 0, stateBytes: 0 };
  const pauses = createIntervals();
  let saved = '{}';
  let activation = { polls: 0 };
  let failuresInARow = 0;
  let putOffUntil = 0;
  let isPutOff = false;
  let killNext: (() => void) | undefined;

  const save = (state: string): void => {
    if (state.length > maxStateBytes) throw new Error(`The state of ${workflowId} has ${state.length} bytes.`);
    counts.stateBytes = Math.max(counts.stateBytes, state.length);
    saved = state;
  };

  /** Starts the workflow; the state is saved a moment later, unless n8n crashes in between. */
  const emit = async (process: N8nProcess, output: INodeExecutionData[][], staticData: IDataObject): Promise<void> => {
    const emission = { at: Date.now(), items: output.flat().map(({ json }) => json), isUnsaved: true };
    emissions.push(emission);
    const state = JSON.stringify(staticData);
    const kill = killNext;
    killNext = undefined;
    kill?.();
    // With cursors, n8n saves the execution and the state in one transaction.
    if (schedule === 'cursors') {
      emission.isUnsaved = false;
      return save(state);
    }
    await sleep(savingMs);
    if (!process.isAlive()) return;
    emission.isUnsaved = false;
    save(state);
  };

  const backOff = (error: unknown): void => {
    const { failure } = error as { failure?: { cause?: string; retryAfterMs?: number } };
    failuresInARow += 1;
    const isActionable = ['credential-invalid', 'configuration-invalid', 'node-defect'].includes(failure?.cause ?? '');
    const curveMs = Math.min(5_000 * 2 ** (failuresInARow - 1), 30 * minuteMs);
    const waitMs = isActionable
      ? 30 * minuteMs
      : Math.max(curveMs, Math.min(failure?.retryAfterMs ?? 0, 60 * minuteMs));
    putOffUntil = Date.now() + waitMs;
    isPutOff = true;
    pauses.begin();
  };

  const call = async (process: N8nProcess, staticData: IDataObject): Promise<INodeExecutionData[][] | null> => {
    const current = activation;
    counts.polls += 1;
    if (isPutOff) pauses.end();
    isPutOff = false;
    current.polls += 1;
    try {
      return await process.poll({
        workflowId,
        parameters,
        staticData,
        budgetMs,
        onRequest: () => {
          counts.requests += 1;
        },
      });
    } finally {
      current.polls -= 1;
    }
  };

  const pollByCron = async (process: N8nProcess, staticData: IDataObject, isCurrent: () => boolean): Promise<void> => {
    try {
      const output = await call(process, staticData);
      if (output && isCurrent()) await emit(process, output, staticData);
    } catch {} // n8n logs the error and polls again
  };

  const pollDurably = async (process: N8nProcess, isCurrent: () => boolean): Promise<void> => {
    if (Date.now() < putOffUntil) return;
    const staticData = JSON.parse(saved) as IDataObject;
    // The budget is 80% of the time after which n8n abandons a poll.
    const timedOut = sleep(budgetMs / 0.8).then(() => 'abandoned' as const);
    try {
      const output = await Promise.race([call(process, staticData), timedOut]);
      if (output === 'abandoned') {
        if (schedule === 'cursors') backOff({});
        return;
      }
      failuresInARow = 0;
      putOffUntil = 0;
      if (!isCurrent()) return;
      if (output) await emit(process, output, staticData);
      else if (schedule === 'cursors') save(JSON.stringify(staticData));
    } catch (error) {
      if (schedule === 'cursors') backOff(error);
    }
  };

  /**
   * Makes the first poll after an activation, and retries it after an error, as n8n does. The result counts even if the
   * trigger is activated again before this poll ends.
   */
  const pollUntilActive = async (
    process: N8nProcess,
    staticData: IDataObject,
    isCurrent: () => boolean,
  ): Promise<void> => {
    for (let waitMs = 1_000; isCurrent(); waitMs *= 2) {
      try {
        const output = await call(process, staticData);
        if (output) await emit(process, output, staticData);
        return save(JSON.stringify(staticData));
      } catch {
        await sleep(waitMs);
      }
    }
  };

  return {
    settings,
    emissions,
    counts,
    pauses,
    isPolling: () => activation.polls > 0,
    killAtEmission(kill) {
      killNext = kill;
    },
    async activate(process) {
      const current = { polls: 0 };
      const isFirst = counts.polls === 0;
      activation = current;
      const isCurrent = () => process.isAlive() && activation === current;
      const staticData = JSON.parse(saved) as IDataObject;
      const second = Math.floor(random() * minuteMs);
      // After a restart, the durable scheduler already knows the trigger and makes no first poll.
      if (isFirst || schedule === 'cron') await pollUntilActive(process, staticData, isCurrent);
      for (;;) {
        await sleep(minuteMs - ((Date.now() - second) % minuteMs));
        if (!isCurrent()) return;
        if (schedule === 'cron') void pollByCron(process, staticData, isCurrent);
        else await pollDurably(process, isCurrent);
      }
    },
  };
};
