import type { CallOptions, Client, ClientEvent } from '@order-license/core/portable';
import { isRateLimitError } from '@order-license/core/portable';
import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { type Credential, clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';
import { simplifyField } from '../shared/output';
import { pollBudget } from '../shared/poll-budget';
import { statusOptions } from '../shared/status-options';
import { type EventName, type Happening, toItem } from './happening';
import type { Wanted } from './observe';
import { poll } from './poll';
import { sampleOf } from './sample';
import { newWatch, readWatch, type Watch, writeWatch } from './watch';

export class OrderLicenseTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Order License Trigger',
    name: 'orderLicenseTrigger',
    icon: { light: 'file:../../icons/order-license.svg', dark: 'file:../../icons/order-license.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when an order comes in, changes its status, or gets license codes',
    defaults: { name: 'Order License Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'orderLicenseApi', required: true }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['newOrder'],
        description: 'What to start the workflow for. The first polls only take note of what is there.',
        options: [
          {
            name: 'License Codes Available',
            value: 'licenseCodesAvailable',
            description: 'One item for each license code that an order did not have before',
          },
          { name: 'New Order', value: 'newOrder', description: 'One item for each order that was not there before' },
          {
            name: 'Status Changed',
            value: 'statusChanged',
            description: 'One item for each order whose status is another than at the poll before',
          },
        ],
      },
      {
        displayName: 'Status',
        name: 'statuses',
        type: 'multiOptions',
        default: [],
        options: statusOptions,
        description: 'Only orders that have one of these statuses at that moment. Empty means any status.',
      },
      simplifyField({}),
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [
          {
            displayName: 'Watch Days',
            name: 'watchDays',
            type: 'number',
            typeOptions: { minValue: 1, maxValue: 3650, numberPrecision: 0 },
            default: 90,
            description:
              'How many days a completed or cancelled order is watched after it was made. Pending and paid orders are watched until they are completed or cancelled.',
          },
        ],
      },
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const node = this.getNode();
    const wanted: Wanted = {
      events: this.getNodeParameter('events') as EventName[],
      statuses: this.getNodeParameter('statuses', []) as string[],
    };
    const simplify = this.getNodeParameter('simplify', true) as boolean;
    const toOutput = (happened: Happening[]): INodeExecutionData[][] | null =>
      happened.length > 0 ? [happened.map((happening) => ({ json: toItem(happening, simplify) }))] : null;
    try {
      const credential = await readCredential(this);
      if (this.getMode() === 'manual') return toOutput(await sampleOf(clientFor(this, credential), wanted));
      const { watchDays = 90 } = this.getNodeParameter('options', {}) as { watchDays?: number };
      return toOutput(await pollOnce(this, credential, wanted, watchDays * 86_400_000));
    } catch (error) {
      // Other uses of the key come first; the next poll goes on.
      if (isRateLimitError(error) && error.source === 'local') return null;
      throw toNodeError(node, error);
    }
  }
}

/** n8n gives up a poll after 36 s; where it does not say so, less is taken. */
const usualBudgetMs = 30_000;
/** Less time than this is not enough for one more request. */
const leastMs = 3_000;

/** Base URL and key under which each trigger has last seen its account. */
const seenUnder = new Map<string, string>();

const pollOnce = async (
  context: IPollFunctions,
  credential: Credential,
  wanted: Wanted,
  watchMs: number,
): Promise<Happening[]> => {
  const endsAt = performance.now() + (context.getPollBudgetMs?.() ?? usualBudgetMs);
  const budget = pollBudget(credential);
  // A second attempt costs a request too.
  const onEvent = (event: ClientEvent) => event.type === 'retry' && void budget.take();
  const client = clientFor(context, credential, onEvent, { retries: 1 });
  const nextRequest = async (): Promise<CallOptions | undefined> => {
    const deadlineMs = endsAt - performance.now();
    return deadlineMs > leastMs && (await budget.take()) ? { deadlineMs, priority: 'bulk' } : undefined;
  };

  const saved = context.getWorkflowStaticData('node');
  const watch = await watchOf(context, client, credential, readWatch(saved.watch), watchMs, nextRequest);
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

/** The watch to go on with; a new one for another account. Undefined when no request is left to find out. */
const watchOf = async (
  context: IPollFunctions,
  client: Client,
  { baseUrl, apiKey }: Credential,
  saved: Watch | undefined,
  watchMs: number,
  nextRequest: () => Promise<CallOptions | undefined>,
): Promise<Watch | undefined> => {
  const trigger = `${context.getWorkflow().id}/${context.getNode().id}`;
  const key = `${baseUrl}\n${apiKey}`;
  if (saved && seenUnder.get(trigger) === key) return saved;
  const options = await nextRequest();
  if (!options) return undefined;
  const { user_id } = await client.getMe(options);
  seenUnder.set(trigger, key);
  const account = String(user_id ?? '');
  return saved?.account === account ? saved : newWatch(account, Date.now() - watchMs);
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
