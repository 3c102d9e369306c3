import { isRateLimitError } from '@order-license/core/portable';
import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { clientFor, readCredential } from '../shared/client';
import { toNodeError } from '../shared/errors';
import { checkLicenseKeys, licenseKeysField, protectError } from '../shared/license-keys';
import { statusOptions } from '../shared/order-status';
import { type OutputForm, simplifyField } from '../shared/output';
import { type EventName, type Happening, toItem } from './happening';
import type { Wanted } from './observe';
import { runPoll } from './run-poll';
import { sampleOf } from './sample';

export class OrderLicenseTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Order License Trigger',
    name: 'orderLicenseTrigger',
    icon: { light: 'file:../../icons/order-license.svg', dark: 'file:../../icons/order-license.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Read orders and license codes; start when an order comes in, changes its status, or gets codes',
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
    const form: OutputForm = {
      simplify: this.getNodeParameter('simplify', true) as boolean,
      licenseKeys: checkLicenseKeys(this, this.getNodeParameter('licenseKeys', 'full')),
    };
    const toOutput = (happened: Happening[]): INodeExecutionData[][] | null =>
      happened.length > 0 ? [happened.map((happening) => ({ json: toItem(happening, form) }))] : null;
    const manual = this.getMode() === 'manual';
    try {
      const watchDays = readWatchDays(this);
      const credential = await readCredential(this);
      if (manual) return toOutput(await sampleOf(clientFor(this, credential), wanted));
      return toOutput(await runPoll(this, credential, wanted, watchDays * 86_400_000));
    } catch (error) {
      // Other uses of the key come first; the next poll goes on.
      if (isRateLimitError(error) && error.source === 'local' && !manual) return null;
      throw toNodeError(node, protectError(error, form.licenseKeys));
    }
  }
}

/** @throws {NodeOperationError} for what an expression can give and the field cannot */
const readWatchDays = (context: IPollFunctions): number => {
  const { watchDays = 90 } = context.getNodeParameter('options', {}) as { watchDays?: unknown };
  const days = Number(watchDays);
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new NodeOperationError(context.getNode(), "'Watch Days' is not a whole number from 1 to 3650", {
    description: "Set it under 'Options', or remove it there for 90 days.",
    failure: { cause: 'configuration-invalid' },
  });
};
