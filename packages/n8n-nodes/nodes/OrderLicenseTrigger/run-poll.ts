import type { IPollFunctions } from 'n8n-workflow';
import { isBusy } from '../shared/busy-keys';
import { clientFor } from '../shared/client';
import type { Credential } from '../shared/credential';
import { toNodeError } from '../shared/errors';
import { accountOf, fingerprintOf } from './account';
import type { Poll, PollOutcome } from './poll';
import { needsAPerson, noPermit } from './poll-errors';
import { createPollRequests, type PollRequests } from './poll-requests';
import { runReaders } from './readers/run-readers';
import { createSharedAnswers, type ReadTime } from './shared-answers';
import { readState } from './state/saved-state';
import { createStateMemory, type StateMemory } from './state/state-memory';
import { newState, type TriggerState } from './state/trigger-state';
import type { Subscription, TriggerEvent } from './trigger-event';

/** Maximum duration of a poll, even if n8n allows minutes: the next one starts a minute later. */
const maxPollMs = 50_000;
/** Used if n8n does not set a time limit for a poll. */
const defaultBudgetMs = 30_000;
/** Time left for n8n to save the result. */
const marginMs = 2_000;
/** After this long without a successful read, a poll fails. */
const maxSilenceMs = 600_000;

/** What this process remembers about one trigger. */
interface TriggerMemory {
  state: StateMemory;
  /** Running polls; there can be two if n8n gave up on one or republished the workflow. */
  polls: number;
  /** Time of the last successful read, by `performance.now`. */
  readAt: number;
  /** Seconds since 1970. */
  pendingReadAt: number;
  /** See `Poll`. */
  failing: Map<string, number>;
  time: ReadTime;
}

const memories = new Map<string, TriggerMemory>();
/** States of running polls: n8n starts the next poll anyway, which would find the same events. */
const polling = new WeakSet<object>();

/** Runs one poll: updates the state that n8n holds, and returns the events to save with it. */
export const runPoll = async (
  context: IPollFunctions,
  credential: Credential,
  subscription: Subscription,
): Promise<TriggerEvent[]> => {
  const held = context.getWorkflowStaticData('node');
  if (polling.has(held)) {
    context.logger.debug('The previous poll is still running.');
    return [];
  }
  const key = `${context.getWorkflow().id}/${context.getNode().id}`;
  const isFirst = !memories.has(key);
  const memory = memories.get(key) ?? newMemory();
  memories.set(key, memory);
  polling.add(held);
  memory.polls += 1;
  try {
    return await pollAlone(context, credential, subscription, { key, memory, isFirst });
  } finally {
    polling.delete(held);
    memory.polls -= 1;
  }
};

const pollAlone = async (
  context: IPollFunctions,
  credential: Credential,
  subscription: Subscription,
  { key, memory, isFirst }: { key: string; memory: TriggerMemory; isFirst: boolean },
): Promise<TriggerEvent[]> => {
  const held = context.getWorkflowStaticData('node');
  const now = nowSeconds();
  const warn = (message: string): void => context.logger.warn(`Order License Trigger: ${message}`, { trigger: key });

  const events: TriggerEvent[] = [];
  const requests = createPollRequests({
    client: clientFor(context, credential, undefined, { retries: 1, bulkRetryMs: 0 }),
    consumer: key,
    endsAt: performance.now() + budgetOf(context),
    now: () => performance.now(),
    answers: createSharedAnswers(`${credential.baseUrl}\n${credential.apiKey}`, memory.time, () => isBusy(credential)),
    // n8n shows a workflow as published once its first poll ends, and saves the state of that poll.
    isHurried: () => (isFirst && known !== undefined) || events.length > 0,
  });
  const before = held.state;
  // A concurrent poll uses its own state.
  const known = memory.polls > 1 ? readState(before) : memory.state.recall(before);
  if (!known && (before !== undefined || held.watch !== undefined)) {
    warn('The saved state is from another version. Existing orders are recorded again and start nothing.');
  }

  let state: TriggerState | undefined;
  let outcome: PollOutcome = { hasRead: false };
  try {
    state = await stateFor(known, credential, requests);
  } catch (error) {
    outcome = { hasRead: false, error };
  }
  if (state) {
    const { pendingReadAt } = memory;
    const isStart = state.recent === undefined;
    const poll: Poll = {
      state,
      subscription,
      requests,
      events,
      now,
      pendingReadAt,
      isStart,
      isResumed: isFirst && !isStart,
      isBusy: isBusy(credential),
      failing: memory.failing,
      failed: new Set(),
      warn,
    };
    outcome = await runReaders(poll);
    memory.pendingReadAt = poll.pendingReadAt;
    const text = memory.state.keep(before, state, { hasEvents: events.length > 0, now });
    // n8n writes a property to its database if it is assigned.
    if (text !== undefined && text !== before) held.state = text;
    delete held.watch;
  }
  if (outcome.hasRead) memory.readAt = performance.now();
  report(context, outcome, { memory, events, hasState: state?.recent !== undefined, warn });
  return events;
};

const budgetOf = (context: IPollFunctions): number => {
  const given = Number(context.getPollBudgetMs?.());
  return Math.min((given > 0 ? given : defaultBudgetMs) - marginMs, maxPollMs);
};

/**
 * The state to continue from: a new one at the start and for another account.
 * @returns undefined if no permit was granted for the request
 */
const stateFor = async (
  known: TriggerState | undefined,
  credential: Credential,
  requests: PollRequests,
): Promise<TriggerState | undefined> => {
  const fingerprint = fingerprintOf(credential);
  if (known?.credential === fingerprint) return known;
  const user = await requests.getMe();
  if (!user) return undefined;
  const account = accountOf(user, credential);
  if (known?.account === account) return { ...known, credential: fingerprint };
  return newState(account, fingerprint);
};

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const newMemory = (): TriggerMemory => {
  return {
    state: createStateMemory(),
    polls: 0,
    readAt: performance.now(),
    pendingReadAt: nowSeconds(),
    failing: new Map(),
    time: { latest: 0 },
  };
};

interface Report {
  memory: TriggerMemory;
  events: readonly TriggerEvent[];
  hasState: boolean;
  warn(message: string): void;
}

/** Reports an error as a warning; throws it if a user has to act or nothing has been read for ten minutes. */
const report = (
  context: IPollFunctions,
  { hasRead, error = hasRead ? undefined : noPermit() }: PollOutcome,
  { memory, events, hasState, warn }: Report,
): void => {
  if (error === undefined) return;
  if (events.length === 0 && (needsAPerson(error) || !hasState)) throw error;
  if (!hasRead && performance.now() - memory.readAt >= maxSilenceMs) {
    memory.readAt = performance.now();
    throw error;
  }
  const { message } = toNodeError(context.getNode(), error);
  warn(hasRead ? `The poll ended early: ${message}. The next poll continues.` : `Nothing was read: ${message}.`);
};
