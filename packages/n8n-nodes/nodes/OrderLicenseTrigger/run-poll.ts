import type { CallOptions, Client, ClientEvent } from '@order-license/core/portable';
import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';
import { type Credential, clientFor } from '../shared/client';
import { toNodeError } from '../shared/errors';
import { accountOf } from './account';
import type { Happening } from './happening';
import type { Wanted } from './observe';
import { poll } from './poll';
import { pollBudget } from './poll-budget';
import { newWatch, readWatch, type Watch, writeWatch } from './watch';

/** Most that a poll takes, also where n8n allows minutes: the next one starts a minute later. */
const longestPollMs = 45_000;
/** Where n8n does not say how long a poll may take. */
const usualBudgetMs = 30_000;
/** Less time than this is not enough for one more request. */
const leastMs = 3_000;

/** Triggers whose poll is under way: n8n starts the next one all the same, and it would tell the same things. */
const polling = new Set<string>();

/** The account that each trigger has last seen, and the base URL and key under which it did. */
const seen = new Map<string, { key: string; account: string }>();

/**
 * One poll of n8n: within its time and the share of the limit that polling may have, from the state that n8n keeps, to
 * the state that it is to keep with what happened.
 */
export const runPoll = async (
  context: IPollFunctions,
  credential: Credential,
  wanted: Wanted,
  watchMs: number,
): Promise<Happening[]> => {
  // Workflow and node.
  const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
  if (polling.has(trigger)) return [];
  polling.add(trigger);
  try {
    return await pollAlone({ context, trigger, credential, wanted, watchMs });
  } finally {
    polling.delete(trigger);
  }
};

interface PollRun {
  context: IPollFunctions;
  trigger: string;
  credential: Credential;
  wanted: Wanted;
  watchMs: number;
}

const pollAlone = async ({ context, trigger, credential, wanted, watchMs }: PollRun): Promise<Happening[]> => {
  const given = Number(context.getPollBudgetMs?.());
  const endsAt = performance.now() + Math.min(Number.isFinite(given) ? given : usualBudgetMs, longestPollMs);
  const budget = pollBudget(credential);
  // A second attempt costs a request too.
  const onEvent = (event: ClientEvent) => event.type === 'retry' && void budget.take();
  const client = clientFor(context, credential, onEvent, { retries: 1, bulkRetryMs: 0 });
  const nextRequest = async (): Promise<CallOptions | undefined> => {
    const deadlineMs = endsAt - performance.now();
    return deadlineMs > leastMs && (await budget.take()) ? { deadlineMs, priority: 'background' } : undefined;
  };

  const saved = context.getWorkflowStaticData('node');
  const watch = await watchOf(readWatch(saved.watch), { trigger, client, credential, watchMs, nextRequest });
  if (!watch) return [];
  const { happened, error } = await poll({
    client,
    watch,
    wanted,
    watchMs,
    now: Date.now,
    nextRequest,
    onUnreadable: (id, { message }) => context.logger.warn(`Order ${id} could not be read: ${message}`),
  });
  if (error !== undefined && happened.length > 0) {
    context.logger.warn(`The poll ended early: ${toNodeError(context.getNode(), error).message}`);
  }
  save(context, watch);
  if (error !== undefined && happened.length === 0) throw error;
  return happened;
};

interface AccountCheck extends Pick<PollRun, 'trigger' | 'credential' | 'watchMs'> {
  client: Client;
  nextRequest(): Promise<CallOptions | undefined>;
}

/** The watch to go on with; a new one for another account. Undefined when no request is left to find out. */
const watchOf = async (
  saved: Watch | undefined,
  { trigger, client, credential, watchMs, nextRequest }: AccountCheck,
): Promise<Watch | undefined> => {
  const key = `${credential.baseUrl}\n${credential.apiKey}`;
  const last = seen.get(trigger);
  // n8n may have gone back to an older state: the key alone does not say whose it is.
  if (saved && last?.key === key && last.account === saved.account) return saved;
  const options = await nextRequest();
  if (!options) return undefined;
  const user = await client.getMe(options);
  const account = accountOf(user, credential);
  seen.set(trigger, { key, account });
  // States of earlier versions hold the bare user_id.
  if (saved && (saved.account === account || saved.account === String(user.user_id))) return { ...saved, account };
  return newWatch(account, Date.now() - watchMs);
};

const save = (context: IPollFunctions, watch: Watch): void => {
  try {
    context.getWorkflowStaticData('node').watch = writeWatch(watch);
  } catch (error) {
    if (!(error instanceof RangeError)) throw toNodeError(context.getNode(), error);
    throw new NodeOperationError(context.getNode(), 'There are too many orders to watch', {
      description: `${error.message}. Set 'Watch Days' to a smaller number.`,
      failure: { cause: 'configuration-invalid' },
    });
  }
};
