import { hasLicenseCodes } from '@order-license/core/portable';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { toErrorItem, toNodeError } from '../../shared/errors';
import { licenseKeysFields, protectError } from '../../shared/license-keys';
import { type OutputChoice, orderItems, outputChoices, outputField, simplifyField } from '../../shared/output';
import { alsoForModels, toolDescription } from './as-tool';
import { filterFields, readFilters } from './list-filters';
import { continuesOnError, inputError, linked, type Operation, readOutput, readSwitch, whenOrder } from './operation';
import { totalsItems } from './order-totals';
import { createReadDetails } from './read-details';

const displayOptions = whenOrder('listOrders');
const unlessTotals = { ...displayOptions, hide: { output: ['totals'] } };

const totalsOption = {
  name: 'Totals',
  value: 'totals',
  description:
    'One item per combination of currency, status, payment status and delivery status, with order count and exact sum',
};

const listDescription =
  'List orders, newest first: order number, date (UTC), status, payment and delivery status, gross total and currency. Never add amounts in different currencies. License keys may be masked, such as ****4F2A; only the owner of this workflow can change that.';
const totalsDescription =
  'Count orders and add up their gross totals exactly, by currency, status, payment and delivery status. Never add amounts in different currencies. If `complete` is false, orders may be missing.';

/** n8n's linter requires a description about results, but these are orders. */
const limitField = (output: (OutputChoice | 'totals')[]): INodeProperties => ({
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  displayOptions: { show: { ...displayOptions.show, returnAll: [false], output } },
  description: 'Max number of results to return',
});

export const listOrdersFields: INodeProperties[] = [
  toolDescription(listDescription, unlessTotals),
  toolDescription(totalsDescription, { show: { ...displayOptions.show, output: ['totals'] } }),
  outputField(displayOptions, totalsOption),
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions: unlessTotals,
    description: 'Whether to return all results or only up to a given limit',
  },
  ...alsoForModels(limitField(['orders'])),
  ...alsoForModels({
    ...limitField(['positions', 'licenseCodes']),
    hint: 'Limits the orders that are read; each can return many items',
  }),
  ...alsoForModels({
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions,
    options: filterFields,
  }),
  {
    displayName: 'Include Details',
    name: 'includeDetails',
    type: 'boolean',
    default: false,
    displayOptions: { show: { ...displayOptions.show, output: ['orders'] } },
    description: 'Whether to include the positions and license codes of each order',
    hint: 'Sends one extra request per order: at 60 requests per minute, 600 orders take 10 minutes',
  },
  {
    displayName: 'Sends one extra request per order: at 60 requests per minute, 600 orders take 10 minutes.',
    name: 'detailsNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: { ...displayOptions.show, output: ['positions'] } },
  },
  {
    displayName:
      'Sends one extra request per paid or completed order: at 60 requests per minute, 600 orders take 10 minutes.',
    name: 'licenseCodesNotice',
    type: 'notice',
    default: '',
    displayOptions: { show: { ...displayOptions.show, output: ['licenseCodes'] } },
  },
  ...licenseKeysFields(unlessTotals),
  simplifyField(displayOptions),
];

/** Orders, newest first (§4.2). One request per 50 orders, more under a status filter; with details one per order. */
export const listOrders: Operation = async (run, item, licenseKeys) => {
  const { context, client, hints } = run;
  const signal = context.getExecutionCancelSignal();
  const filters = readFilters(context, item);
  const choice = readOutput(context, [...outputChoices, 'totals'] as const, item);
  const simplify = readSwitch(context, 'simplify', 'Simplify', item);
  if (choice === 'totals') {
    const totals = await client.totals({ ...filters, signal });
    hints.addTotals(totals);
    return linked(totalsItems(totals, { simplify, licenseKeys }), item);
  }
  const limit = readSwitch(context, 'returnAll', 'Return All', item) ? undefined : readLimit(context, item);
  const whole = choice !== 'orders' || readSwitch(context, 'includeDetails', 'Include Details', item, false);
  const readDetails = createReadDetails(run, item, licenseKeys);

  const found: INodeExecutionData[] = [];
  try {
    for await (const page of client.orderPages({ ...filters, limit, signal })) {
      hints.addListChanges(page.changes);
      hints.addGaps(page.gaps);
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
    if (!whole || found.length === 0 || !continuesOnError(context) || signal?.aborted) throw nodeError;
    // Each of these orders cost a request, so keep them.
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
      "Set a whole number of at least 1, or turn on 'Return All' to read all orders.",
    );
  }
  throw inputError(
    context,
    item,
    "'Limit' is not a whole number of at least 1",
    'Set a number such as 50. In an expression, use Number(…) to convert text.',
  );
};
