import { orderStatuses } from '@order-license/core/portable';
import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
  NodeOperationError,
  type NodeParameterValueType,
} from 'n8n-workflow';
import { checkChoice, checkChoices, checkSwitch } from '../shared/check-parameter';
import { clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';
import { checkLicenseKeys, licenseKeysField, protectError } from '../shared/license-keys';
import { statusOptions } from '../shared/order-status';
import { type OutputForm, simplifyField } from '../shared/output';
import { withPassingCause } from './poll-errors';
import { runPoll } from './run-poll';
import { findExamples } from './test-event';
import { eventNames, type Subscription, toItem } from './trigger-event';

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
      {
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
      },
      {
        displayName: 'Status',
        name: 'statuses',
        type: 'multiOptions',
        default: [],
        options: statusOptions,
        description: 'Only orders that have one of these statuses when the event occurs',
        hint: 'Leave empty for any status',
      },
      {
        displayName: 'Include Details',
        name: 'includeDetails',
        type: 'boolean',
        default: false,
        description: 'Whether to include the positions and license codes of each order',
        hint: 'Sends one extra request per order, except for License Codes Available',
      },
      licenseKeysField({}),
      simplifyField({}),
      {
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
      },
    ],
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    const node = this.getNode();
    const form: OutputForm = {
      simplify: checkSwitch({ context: this, label: 'Simplify', given: this.getNodeParameter('simplify', true) }),
      licenseKeys: checkLicenseKeys(this, this.getNodeParameter('licenseKeys', 'full')),
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
const readSubscription = (context: IPollFunctions, masks: boolean): Subscription => {
  const given = (name: string, label: string, fallback?: NodeParameterValueType) => {
    return { context, label, given: context.getNodeParameter(name, fallback) };
  };
  const options: unknown = context.getNodeParameter('options', {});
  const watch = (options as { watch?: unknown } | null)?.watch ?? 'open';
  return {
    events: checkChoices(given('events', 'Events'), eventNames, { atLeast: 1 }),
    statuses: checkChoices(given('statuses', 'Status', []), orderStatuses),
    watchClosed: checkChoice({ context, label: 'Watch', given: watch }, ['open', 'all']) === 'all',
    includeDetails: checkSwitch(given('includeDetails', 'Include Details', false)),
    masks,
  };
};

const nothingToShow = (context: IPollFunctions): NodeOperationError =>
  new NodeOperationError(context.getNode(), 'No order matches these events', {
    description: "Check 'Events' and 'Status'. Once published, the trigger waits for a matching order.",
  });
