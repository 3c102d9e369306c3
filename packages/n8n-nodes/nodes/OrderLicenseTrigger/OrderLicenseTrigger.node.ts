import { argumentError } from '@order-license/core/host';
import type { ChangeEvent, ChangeName, StatusFilter } from '@order-license/core/portable';
import {
  type IDataObject,
  type INodeExecutionData,
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { clientFor, readCredential } from '../shared/client';
import { type NodeError, toNodeError } from '../shared/errors';
import { readField } from '../shared/fields';
import { type LicenseKeys, licenseKeysField, protectError, readLicenseKeys } from '../shared/license-keys';
import { statusOptions } from '../shared/order-status';
import { type OutputForm, simplifyField } from '../shared/output';
import { runPoll, type Subscription } from './run-poll';
import { canOccur, findExamples } from './test-event';
import { toItems } from './trigger-item';

const ordersEvents = ['newOrder', 'statusChanged', 'paid', 'completed'] as const;

const eventsField: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  required: true,
  default: ['newOrder'],
  description: 'Events that start the workflow. The first poll only records which orders exist.',
  hint: 'A test shows an example of each event, whose eventId starts with "test:"',
  options: [
    {
      name: 'Completed',
      value: 'completed',
      description: 'One item per order, when its order status first becomes completed',
    },
    {
      name: 'License Codes Available',
      value: 'licenseCodeAvailable',
      description: 'One item per license code that is added to a paid or completed order',
    },
    { name: 'New Order', value: 'newOrder', description: 'One item per new order' },
    {
      name: 'Paid',
      value: 'paid',
      description: 'One item per order, when its order status first becomes paid or completed',
    },
    {
      name: 'Status Changed',
      value: 'statusChanged',
      description: 'One item per status change, with the previous status',
    },
  ],
};

const statusesField: INodeProperties = {
  displayName: 'Status',
  name: 'statuses',
  type: 'multiOptions',
  default: [],
  options: statusOptions,
  description: 'Only orders that have one of these statuses when the event occurs',
  hint: 'Leave empty to include all statuses',
};

const includeDetailsField: INodeProperties = {
  displayName: 'Include Details',
  name: 'includeDetails',
  type: 'boolean',
  default: false,
  displayOptions: { show: { events: [...ordersEvents] } },
  description: 'Whether to include the line items and license codes of each order',
  hint: 'Sends one extra request per order',
};

const optionsField: INodeProperties = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add Option',
  default: {},
  options: [
    {
      displayName: 'After a Pause',
      name: 'afterPause',
      type: 'options',
      default: 'catchUp',
      options: [
        {
          name: 'Catch Up',
          value: 'catchUp',
          description: 'Report what happened while the workflow was not published',
        },
        {
          name: 'Start Now',
          value: 'startNow',
          description:
            'Skip what happened while the workflow was not published, if it was unpublished for more than five minutes. If you rename the trigger, or n8n restarts during the pause, any pause counts.',
        },
      ],
      description:
        'What the trigger does when you publish the workflow again. After a restart of n8n, the trigger always catches up.',
    },
    {
      displayName: 'Watch',
      name: 'watch',
      type: 'options',
      default: 'open',
      displayOptions: { show: { '/events': ['completed', 'licenseCodeAvailable', 'paid', 'statusChanged'] } },
      options: [
        {
          name: 'All Orders',
          value: 'all',
          description: 'Also watches completed and cancelled orders, which requires more requests',
        },
        { name: 'Open Orders', value: 'open', description: 'Watches only pending and paid orders' },
      ],
      description: 'Which orders to watch for status changes and new license codes',
    },
  ],
};

export class OrderLicenseTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Order License Trigger',
    name: 'orderLicenseTrigger',
    icon: { light: 'file:../../icons/order-license.svg', dark: 'file:../../icons/order-license.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ").replace(/([A-Z])/g, " $1").toLowerCase() }}',
    // n8n's node list shows this text for the node and the trigger together.
    description: 'Read orders and license codes, or start a workflow when they arrive or change',
    defaults: { name: 'Order License Trigger' },
    polling: true,
    builderHint: {
      searchHint:
        'Use this trigger instead of a schedule with List Orders: it reports each new order, payment, status change and license code. n8n can repeat an event after a crash. Where a duplicate would do harm, such as a second email, add Remove Duplicates on "eventId" right after the trigger. For license codes, use the event "licenseCodeAvailable": one item per code.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-base.removeDuplicates',
          relationHint: 'Drops events whose "eventId" already occurred in an earlier execution',
        },
        {
          nodeType: 'n8n-nodes-order-license.orderLicense',
          relationHint: 'Reads the account, orders and license codes, and adds up order totals',
        },
      ],
    },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'orderLicenseApi', required: true }],
    properties: [
      eventsField,
      statusesField,
      includeDetailsField,
      licenseKeysField({}),
      simplifyField({}),
      optionsField,
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    // Until the user's choice has been read, errors omit everything that could contain a license key.
    let licenseKeys: LicenseKeys = 'leftOut';
    try {
      licenseKeys = readLicenseKeys(this);
      const form: OutputForm = { simplify: readField(this, simplifyField({})), licenseKeys };
      const read = async () => {
        const subscription = readSubscription(this, licenseKeys !== 'full');
        return { subscription, client: clientFor(this, await readCredential(this)) };
      };
      const convert = (events: readonly ChangeEvent[]) => toItems(events, form).map((json) => ({ json }));
      const isTest = this.getMode() === 'manual';
      const items = isTest ? convert(await findExamples(await read())) : await runPoll(this, read, convert);
      if (isTest && items.length === 0) throw nothingToShow();
      return items.length === 0 ? null : [items];
    } catch (error) {
      throw withCause(toNodeError(this.getNode(), protectError(error, licenseKeys)));
    }
  }
}

/** @throws `bad_request` for values that only an expression can return, and for events that can never occur */
const readSubscription = (context: IPollFunctions, masks: boolean): Subscription => {
  const { watch, afterPause } = readField<{ watch?: 'open' | 'all'; afterPause?: string }>(context, optionsField);
  const hasDetails = readField<boolean>(context, includeDetailsField);
  const events = readField<ChangeName[]>(context, eventsField);
  const statuses = readField<StatusFilter[]>(context, statusesField);
  if (statuses.length > 0 && !statuses.some((status) => events.some((event) => canOccur(event, status)))) {
    throw argumentError(
      "The 'Events' cannot occur with the 'Status'",
      "Completed orders have the status abgeschlossen. Orders that become paid or get license codes are bezahlt or abgeschlossen. Change 'Status', or leave it empty.",
    );
  }
  return {
    events,
    statuses,
    watch,
    // Masking a key needs the whole order, because other texts in the order can repeat the key.
    includeDetails: [...(hasDetails ? ordersEvents : []), ...(masks ? (['licenseCodeAvailable'] as const) : [])],
    startsNow: afterPause === 'startNow',
  };
};

const nothingToShow = () =>
  argumentError(
    'No example was found among the newest 50 orders',
    "Check 'Events' and 'Status'. For license codes, a test reads at most five orders. Once the workflow is published, the trigger waits for a matching order.",
  );

/**
 * Sets the cause by which n8n's poll engine chooses the next wait: half an hour if a user has to act, otherwise a
 * little longer after each failed poll. Without a cause, the engine would infer one from the status.
 */
const withCause = (error: NodeError): NodeError => {
  const { code, statusCode, retryAfterSeconds = 0 } = error.context.details as IDataObject;
  const isRejected = code === 'bad_request' && statusCode !== undefined;
  const cause = (!isRejected && causes[code as string]) || 'temporarily-unavailable';
  return Object.assign(error, { failure: { cause, retryAfterMs: Number(retryAfterSeconds) * 1000 } });
};

const causes: Record<string, string> = {
  authentication: 'credential-invalid',
  bad_request: 'configuration-invalid',
  configuration: 'configuration-invalid',
  internal: 'node-defect',
  not_business_account: 'configuration-invalid',
  rate_limited: 'rate-limited',
};
