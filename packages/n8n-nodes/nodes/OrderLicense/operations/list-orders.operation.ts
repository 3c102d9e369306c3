import { hasLicenseCodes, type StatusFilter } from '@order-license/core/portable';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { toErrorItem, toNodeError } from '../../shared/errors';
import { licenseKeysFields, protectError } from '../../shared/license-keys';
import { statusOptions } from '../../shared/order-status';
import { type OutputChoice, orderItems, outputField, simplifyField } from '../../shared/output';
import { readCreatedAfter } from './created-after';
import { inputError, linked, type Operation, whenOrder } from './operation';
import { createReadDetails } from './read-details';

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
    displayOptions: { show: { ...displayOptions.show, output: ['positions'] } },
  },
  {
    displayName:
      'Each paid or completed order is read whole, with one more request: at 60 requests per minute, 600 of them take 10 minutes. A limit counts all orders.',
    name: 'licenseCodesNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: { ...displayOptions.show, output: ['licenseCodes'] } },
  },
  ...licenseKeysFields(displayOptions),
  simplifyField(displayOptions),
];

interface Filters {
  status?: unknown;
  createdAfter?: unknown;
}

/** Orders, newest first (§4.2). One request per 50 orders, more under a status filter; with details one per order. */
export const listOrders: Operation = async (run, item, licenseKeys) => {
  const { context, client, hints } = run;
  const signal = context.getExecutionCancelSignal();
  const limit = context.getNodeParameter('returnAll', item) ? undefined : readLimit(context, item);
  const filters = readFilters(context, item);
  const status = readStatus(context, filters, item);
  const createdFrom = readCreatedAfter(context, filters, item);
  const choice = context.getNodeParameter('output', item) as OutputChoice;
  const whole = choice !== 'orders' || (context.getNodeParameter('includeDetails', item, false) as boolean);
  const simplify = context.getNodeParameter('simplify', item) as boolean;

  const readDetails = createReadDetails(run, item, licenseKeys);

  const found: INodeExecutionData[] = [];
  try {
    for await (const page of client.orderPages({ status, createdFrom, limit, signal })) {
      hints.addListChanges(page.changes);
      for (const summary of page.orders) {
        if (choice === 'licenseCodes' && hasLicenseCodes(summary.status) === false) continue;
        const order = whole ? await readDetails(summary) : summary;
        if (order instanceof Error) {
          found.push(toErrorItem(order, item));
          continue;
        }
        for (const result of linked(orderItems(order, choice, { simplify, licenseKeys }), item)) found.push(result);
      }
    }
  } catch (error) {
    const nodeError = toNodeError(context.getNode(), protectError(error, licenseKeys), item);
    if (!whole || found.length === 0 || !context.continueOnFail() || signal?.aborted) throw nodeError;
    // Each of these orders took a request: they are worth keeping.
    found.push(toErrorItem(nodeError, item));
  }
  return found;
};

const readLimit = (context: IExecuteFunctions, item: number): number => {
  const limit: unknown = context.getNodeParameter('limit', item);
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 1) return limit;
  if (limit === undefined || limit === null || limit === '') {
    throw inputError(
      context,
      item,
      "'Limit' is empty",
      "Give a whole number from 1 up, or switch on 'Return All' to read all orders.",
    );
  }
  throw inputError(
    context,
    item,
    "'Limit' is not a whole number from 1 up",
    'Give a number such as 50. In an expression, Number(…) makes one of text.',
  );
};

const readFilters = (context: IExecuteFunctions, item: number): Filters => {
  const filters: unknown = context.getNodeParameter('filters', item, {});
  if (typeof filters === 'object' && filters !== null && !Array.isArray(filters)) return filters;
  throw inputError(
    context,
    item,
    "'Filters' is not an object",
    'Give an object such as {{ { status: "bezahlt" } }}, or remove the expression to read orders without a filter.',
  );
};

const readStatus = (context: IExecuteFunctions, filters: Filters, item: number): StatusFilter | undefined => {
  if (!('status' in filters)) return undefined;
  const { status } = filters;
  const known = statusOptions.find(({ value }) => value === status);
  if (known) return known.value;
  const empty = status === undefined || status === null || status === '';
  throw inputError(
    context,
    item,
    empty ? "'Status' is empty" : "'Status' is not a status of an order",
    `Choose ${statusOptions.map(({ value }) => value).join(', ')}, or remove the filter to read orders of any status.`,
  );
};
