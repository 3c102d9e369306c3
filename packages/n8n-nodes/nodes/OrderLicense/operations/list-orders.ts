import type { StatusFilter } from '@order-license/core/portable';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { NodeOperationError, tryToParseDateTime } from 'n8n-workflow';
import { statusOptions } from '../../shared/order-status';
import { type OutputChoice, orderItems, outputField, simplifyField } from '../../shared/output';
import { linked, type Operation, whenOrder } from '../operation';

const displayOptions = whenOrder('listOrders');

export const listOrdersFields: INodeProperties[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions,
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
    description: 'Max number of results to return',
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions,
    options: [
      {
        displayName: 'Created After',
        name: 'createdAfter',
        type: 'dateTime',
        default: '',
        description:
          'Only orders made at this time or later. Without a zone it is in the time zone of the workflow. Reading ends at the first page of older orders.',
      },
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: statusOptions,
        default: 'bezahlt',
        description: 'Only orders with this status',
      },
    ],
  },
  outputField(displayOptions),
  {
    displayName: 'Include Details',
    name: 'includeDetails',
    type: 'boolean',
    default: false,
    displayOptions: { show: { ...displayOptions.show, output: ['orders'] } },
    description: 'Whether to read each order whole, with its positions and license codes',
    hint: 'One more request per order: at 60 requests per minute, 600 orders take 10 minutes',
  },
  {
    displayName:
      'Each order is read whole, with one more request: at 60 requests per minute, 600 orders take 10 minutes. A limit counts orders.',
    name: 'detailsNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: { ...displayOptions.show, output: ['licenseCodes', 'positions'] } },
  },
  simplifyField(displayOptions),
];

interface Filters {
  status?: StatusFilter;
  createdAfter?: unknown;
}

/** Orders, newest first (§4.2). One request per 50 orders, more under a status filter; with details one per order. */
export const listOrders: Operation = async ({ context, client, notes }, item) => {
  const signal = context.getExecutionCancelSignal();
  const limit = context.getNodeParameter('returnAll', item)
    ? undefined
    : (context.getNodeParameter('limit', item) as number);
  const filters = context.getNodeParameter('filters', item, {}) as Filters;
  const choice = context.getNodeParameter('output', item) as OutputChoice;
  const whole = choice !== 'orders' || (context.getNodeParameter('includeDetails', item, false) as boolean);
  const simplify = context.getNodeParameter('simplify', item) as boolean;
  const createdAfter = readDate(context, filters.createdAfter, item);

  const found: IDataObject[] = [];
  for await (const page of client.orderPages({ status: filters.status, createdAfter, limit, signal })) {
    notes.walked(page.drift);
    for (const summary of page.orders) {
      const detail = whole ? await client.getOrder(summary.id, { signal }) : undefined;
      if (detail) notes.read(detail);
      for (const json of orderItems({ ...summary, ...detail }, choice, simplify)) found.push(json);
    }
  }
  return linked(found, item);
};

const readDate = (context: IExecuteFunctions, value: unknown, itemIndex: number): Date | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  try {
    return tryToParseDateTime(value, context.getTimezone()).toJSDate();
  } catch {
    throw new NodeOperationError(context.getNode(), "'Created After' is not a date", {
      description: 'Give a date such as 2026-01-31 or 2026-01-31T08:00:00Z.',
      itemIndex,
    });
  }
};
