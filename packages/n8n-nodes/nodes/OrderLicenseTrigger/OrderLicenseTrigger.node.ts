import {
  type INodeExecutionData,
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';
import { readField } from '../shared/fields';
import { licenseKeysField, protectError, readLicenseKeys } from '../shared/license-keys';
import { statusOptions } from '../shared/order-status';
import { type OutputForm, simplifyField } from '../shared/output';
import { withPassingCause } from './poll-errors';
import { runPoll } from './run-poll';
import { findExamples } from './test-event';
import { type EventName, type Subscription, toItem } from './trigger-event';

const eventsField: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  required: true,
  default: ['newOrder'],
  description: "Events that start the workflow. Orders that exist when you publish it don't.",
  options: [
    {
      name: 'License Codes Available',
      value: 'licenseCodesAvailable',
      description: 'One item per license code that is added to a paid or completed order',
    },
    { name: 'New Order', value: 'newOrder', description: 'One item per new order' },
    {
      name: 'Paid or Completed',
      value: 'paidOrCompleted',
      description: 'One item per order that is created as, or becomes, paid or completed (by order status)',
    },
    {
      name: 'Status Changed',
      value: 'statusChanged',
      description: 'One item per status change of a pending or paid order, with the previous status',
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
  hint: 'Leave empty for any status',
};

const includeDetailsField: INodeProperties = {
  displayName: 'Include Details',
  name: 'includeDetails',
  type: 'boolean',
  default: false,
  description: 'Whether to include the line items and license codes of each order',
  hint: 'Sends one extra request per order, except for License Codes Available',
};

const optionsField: INodeProperties = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add Option',
  default: {},
  options: [
    {
      displayName: 'Watch',
      name: 'watch',
      type: 'options',
      default: 'open',
      options: [
        {
          name: 'All Orders',
          value: 'all',
          description: 'Also completed and cancelled orders; sends more requests',
        },
        { name: 'Open Orders', value: 'open', description: 'Pending and paid orders' },
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
    // n8n's node list shows this for node and trigger together.
    description: 'Read orders and license codes, or start a workflow when they arrive or change',
    defaults: { name: 'Order License Trigger' },
    polling: true,
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
    const node = this.getNode();
    const form: OutputForm = {
      simplify: readField(this, simplifyField({})),
      licenseKeys: readLicenseKeys(this),
    };
    try {
      const subscription = readSubscription(this, form.licenseKeys !== 'full');
      const credential = await readCredential(this);
      const isTest = this.getMode() === 'manual';
      const events = isTest
        ? await findExamples(clientFor(this, credential), subscription)
        : await runPoll(this, credential, subscription);
      if (isTest && events.length === 0) throw nothingToShow(this);
      if (events.length === 0) return null;
      return [events.map((event) => ({ json: toItem(event, form, subscription.includeDetails) }))];
    } catch (error) {
      throw withPassingCause(toNodeError(node, protectError(error, form.licenseKeys)));
    }
  }
}

/** @throws {NodeOperationError} for values that only an expression can return */
const readSubscription = (context: IPollFunctions, masks: boolean): Subscription => ({
  events: readField<EventName[]>(context, eventsField),
  statuses: readField<string[]>(context, statusesField),
  watchClosed: readField<{ watch?: string }>(context, optionsField).watch === 'all',
  includeDetails: readField<boolean>(context, includeDetailsField),
  masks,
});

const nothingToShow = (context: IPollFunctions): NodeOperationError =>
  new NodeOperationError(context.getNode(), 'No order matches these events', {
    description: "Check 'Events' and 'Status'. Once published, the trigger waits for a matching order.",
  });
