import {
  type ChangeEvent,
  type ChangeName,
  type ChangesOptions,
  type ChangesState,
  type Client,
  isOrderLicenseError,
} from '@order-license/core/portable';
import type { IPollFunctions } from 'n8n-workflow';
import { createTriggerState } from './trigger-state';

export interface Subscription extends Omit<ChangesOptions, 'state'> {
  includeDetails: readonly ChangeName[];
  /** Whether publishing the workflow after a pause records a new baseline. */
  startsNow: boolean;
}

export interface PollSettings {
  client: Client;
  subscription: Subscription;
}

/** Maximum time limit for a poll, ms, even if n8n allows minutes: the next poll can start a minute later. */
const maxPollMs = 50_000;
/** Time limit for a poll if n8n sets none, ms. */
const defaultBudgetMs = 30_000;
/** Time reserved for n8n to save the result, ms. */
const marginMs = 2_000;
/** Minimum time limit for a poll, ms, even if n8n allows less, because a poll must be able to send a request. */
const minPollMs = 3_000;
/**
 * Time limit for the first poll after a restart, ms. n8n shows the workflow as published only when this poll ends, and
 * requests from before the restart still count toward the limit.
 */
const firstPollMs = 4_000;
/** Time without a poll after which the workflow is assumed to have been unpublished, ms. */
const pauseMs = 300_000;

/** State of one trigger that is kept only in this process. */
interface TriggerMemory {
  state: ReturnType<typeof createTriggerState>;
  /**
   * Whether a poll is running. Before it ends, n8n or a republished workflow can start another poll, which would find
   * the same events.
   */
  isPolling: boolean;
  /**
   * Time of the last poll while the workflow was published, by `performance.now`. A failed first poll does not count,
   * because n8n then does not publish the workflow.
   */
  endedAt: number | undefined;
}

const memories = new Map<string, TriggerMemory>();
/**
 * The contexts that have completed a poll, or found one running. When a person publishes the workflow, n8n creates a
 * new context, which all later polls share.
 */
const begun = new WeakSet<IPollFunctions>();

/**
 * Runs one poll. Updates the state in n8n's static data, and returns the items of the events found.
 * @param read reads the trigger's settings; if it fails, so does the poll
 * @param toItems converts the events; if it fails, the next poll finds them again
 */
export const runPoll = async <Item>(
  context: IPollFunctions,
  read: () => Promise<PollSettings>,
  toItems: (events: readonly ChangeEvent[]) => Item[],
): Promise<Item[]> => {
  const held = context.getWorkflowStaticData('node');
  // A copied node can have the ID of its original; n8n keeps names unique.
  const { id, name } = context.getNode();
  const key = `${context.getWorkflow().id}/${id}/${name}`;
  const memory = memories.get(key) ?? {
    state: createTriggerState(),
    isPolling: false,
    endedAt: undefined,
  };
  memories.set(key, memory);
  if (memory.isPolling) {
    context.logger.debug('The previous poll is still running.');
    begun.add(context);
    return [];
  }
  memory.isPolling = true;
  const warn = (text: string): void => context.logger.warn(`Order License Trigger: ${text}`, { trigger: key });
  try {
    const {
      client,
      subscription: { startsNow, ...options },
    } = await read();
    const before = held.state;
    const isFresh = startsNow && isPublished(context, memory);
    const state = isFresh ? undefined : memory.state.recall(before);
    if (!state && !isFresh && (memory.endedAt !== undefined || !isStartedByPerson(context))) {
      warn(
        'n8n has no state of this trigger, although the workflow was published before. This poll records the existing orders as a new baseline and reports no events for them.',
      );
    }
    const deadlineMs = memory.endedAt === undefined && state ? firstPollMs : budgetOf(context);
    const keep = (state: ChangesState, hasEvents: boolean): void => {
      const text = memory.state.keep(before, state, { hasEvents, nowMs: performance.now() });
      // The state is assigned only if it has changed, because n8n writes every assigned property to its database.
      if (text !== undefined && text !== before) held.state = text;
    };
    const changes = client.changes({ ...options, state, deadlineMs, consumer: key });
    const found = await changes.catch((error: unknown) => {
      // A baseline is kept only after a successful poll.
      if (state && isOrderLicenseError(error) && error.state) keep(error.state, false);
      throw error;
    });
    const items = toItems(found.events);
    begun.add(context);
    keep(found.state, found.events.length > 0);
    found.warnings.forEach(warn);
    return items;
  } finally {
    memory.isPolling = false;
    if (begun.has(context) || !isStartedByPerson(context)) memory.endedAt = performance.now();
  }
};

/** Whether a person has just published the workflow after a pause. */
const isPublished = (context: IPollFunctions, { endedAt }: TriggerMemory): boolean => {
  const hasPaused = endedAt === undefined || performance.now() - endedAt > pauseMs;
  return hasPaused && !begun.has(context) && isStartedByPerson(context);
};

/**
 * Whether this context began when a person published the workflow. n8n 2.41 sends these activation modes:
 *
 * - `activate`: a person, or a program through n8n's API, publishes a workflow that was not published
 * - `update`: they publish a new version of a published workflow; or n8n's durable scheduler polls
 * - `init`: n8n starts
 * - `leadershipChange`: another n8n process takes over
 */
const isStartedByPerson = (context: IPollFunctions): boolean => context.getActivationMode() === 'activate';

const budgetOf = (context: IPollFunctions): number => {
  const given = context.getPollBudgetMs?.() || defaultBudgetMs;
  return Math.max(minPollMs, Math.min(given - marginMs, maxPollMs));
};
