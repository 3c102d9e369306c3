import { hasLicenseCodes } from '@order-license/core/portable';
import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { readField } from '../../shared/fields';
import { licenseKeysFields } from '../../shared/license-keys';
import { type OutputChoice, orderItems, outputField, simplifyField } from '../../shared/output';
import { alsoForModels, toolDescription } from './as-tool';
import { filtersField, readFilters } from './list-filters';
import { type Operation, whenOrder } from './operation';
import { totalsItems } from './order-totals';
import { createReadDetails } from './read-details';

const displayOptions = whenOrder('listOrders');
const unlessTotals = { ...displayOptions, hide: { output: ['totals'] } };

const whenOutput = (...output: (OutputChoice | 'totals')[]) => ({ show: { ...displayOptions.show, output } });
/** A simplified list entry has no license keys, and no field in which one could be repeated. */
const withKeys: IDisplayOptions[] = [
  whenOutput('lineItems', 'licenseCodes'),
  { show: { ...whenOutput('orders').show, includeDetails: [true] } },
  { show: { ...whenOutput('orders').show, includeDetails: [false], simplify: [false] } },
];

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

const output = outputField(displayOptions, totalsOption);
const simplifyChoice = simplifyField(displayOptions);
const returnAllField: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  displayOptions: unlessTotals,
  description: 'Whether to return all results or only up to a given limit',
};
const includeDetailsField: INodeProperties = {
  displayName: 'Include Details',
  name: 'includeDetails',
  type: 'boolean',
  default: false,
  displayOptions: whenOutput('orders'),
  description: 'Whether to include the line items and license codes of each order',
  hint: 'Sends one extra request per order: at 60 requests per minute, 500 orders take about 10 minutes',
};

export const listOrdersFields: INodeProperties[] = [
  toolDescription(listDescription, unlessTotals),
  toolDescription(totalsDescription, whenOutput('totals')),
  output,
  returnAllField,
  ...alsoForModels(limitField(['orders'])),
  ...alsoForModels({
    ...limitField(['lineItems', 'licenseCodes']),
    hint: 'Limits the orders that are read; each can return many items',
  }),
  ...alsoForModels(filtersField),
  includeDetailsField,
  {
    displayName: 'Sends one extra request per order: at 60 requests per minute, 500 orders take about 10 minutes.',
    name: 'detailsNotice',
    type: 'notice',
    default: '',
    displayOptions: whenOutput('lineItems'),
  },
  {
    displayName:
      'Sends one extra request per paid or completed order: at 60 requests per minute, 500 orders take about 10 minutes.',
    name: 'licenseCodesNotice',
    type: 'notice',
    default: '',
    displayOptions: whenOutput('licenseCodes'),
  },
  ...licenseKeysFields(...withKeys),
  simplifyChoice,
];

/** Orders, newest first (§4.2). One request per 50 orders, more under a status filter; with details one per order. */
export const listOrders: Operation = async function* (run, item, licenseKeys) {
  const { context, client, hints } = run;
  const signal = context.getExecutionCancelSignal();
  const filters = readFilters(context, item);
  const choice = readField<OutputChoice | 'totals'>(context, output, item);
  const simplify = readField<boolean>(context, simplifyChoice, item);
  if (choice === 'totals') {
    const totals = await client.totals({ ...filters, signal });
    hints.addTotals(totals);
    yield* totalsItems(totals, { simplify, licenseKeys });
    return;
  }
  const returnAll = readField<boolean>(context, returnAllField, item);
  const limit = returnAll ? undefined : readField<number>(context, limitField(['orders']), item);
  const whole = choice !== 'orders' || readField<boolean>(context, includeDetailsField, item);
  const readDetails = createReadDetails(run, item, licenseKeys);

  for await (const page of client.orderPages({ ...filters, limit, signal })) {
    hints.addGaps(page.gaps);
    for (const summary of page.orders) {
      if (choice === 'licenseCodes' && hasLicenseCodes(summary.status) === false) continue;
      const order = whole ? await readDetails(summary) : summary;
      if (order instanceof Error) yield order;
      else yield* orderItems(order, choice, { simplify, licenseKeys });
    }
  }
};
