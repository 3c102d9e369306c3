import { productNameTest } from '@order-license/core/host';
import { marker } from '@order-license/core/masking';
import type {
  Order,
  OrderDetailsOptions,
  OrderLicenseError,
  OrderSummary,
  WalkOptions,
} from '@order-license/core/portable';
import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { alsoForModels, toolDescription } from '../../shared/as-tool';
import { type NodeError, toNodeError } from '../../shared/errors';
import { readField } from '../../shared/fields';
import {
  type LicenseKeys,
  licenseKeysFields,
  protectError,
  protectOrder,
  protectTogether,
} from '../../shared/license-keys';
import {
  type AnyOrder,
  mergeOrder,
  type OutputChoice,
  type OutputForm,
  orderItems,
  outputField,
  simplifyField,
} from '../../shared/output';
import { filtersField, readFilters } from './list-filters';
import { continuesOnError, type Operation, type Run, whenOrder } from './operation';
import { groupByField, readTotals, totalsOption } from './order-totals';

const displayOptions = whenOrder('listOrders');
const unlessTotals = { ...displayOptions, hide: { output: ['totals'] } };

const whenOutput = (...output: (OutputChoice | 'totals')[]) => ({ show: { ...displayOptions.show, output } });
/**
 * The cases in which the output can contain license keys. A simplified list entry cannot: the node outputs only fields
 * that never contain a key.
 */
const withKeys: IDisplayOptions[] = [
  whenOutput('lineItems', 'licenseCodes'),
  { show: { ...whenOutput('orders').show, includeDetails: [true] } },
  { show: { ...whenOutput('orders').show, includeDetails: [false], simplify: [false] } },
];

const listDescription = `List orders, newest first: order number, date (UTC), status, payment and delivery status, gross total and currency. Never add amounts in different currencies. License keys may be masked, such as ${marker}4F2A; only the owner of this workflow can change that.`;
const totalsDescription =
  'Count orders and add up their gross totals exactly, by currency, status, payment and delivery status. Never add amounts in different currencies. If `complete` is false, orders may be missing.';

// n8n's linter requires this description, although the limit counts orders, not results.
const limitField: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  displayOptions: { show: { ...whenOutput('orders', 'lineItems', 'licenseCodes').show, returnAll: [false] } },
  description: 'Max number of results to return',
  hint: 'Limits the number of orders; with line items or license codes, an order can return many items',
};

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
  hint: 'Sends one extra request per order: 500 orders take about 10 minutes',
};
const groupBy = groupByField(whenOutput('totals'));

const requestsNotice: INodeProperties = {
  displayName:
    'Sends one extra request per order (for license codes, per paid or completed order): 500 take about 10 minutes.',
  name: 'requestsNotice',
  type: 'notice',
  default: '',
  displayOptions: whenOutput('lineItems', 'licenseCodes'),
};

export const listOrdersFields: INodeProperties[] = [
  toolDescription(listDescription, unlessTotals),
  toolDescription(totalsDescription, whenOutput('totals')),
  output,
  groupBy,
  returnAllField,
  ...alsoForModels(limitField),
  ...alsoForModels(filtersField),
  includeDetailsField,
  requestsNotice,
  ...licenseKeysFields(...withKeys),
  simplifyChoice,
];

/**
 * Outputs orders, newest first (§4.2), or their totals. Sends one request per 50 orders, and some more with filters.
 * Details or a product filter add one request per order.
 */
export const listOrders: Operation = async function* (run, item, licenseKeys) {
  const { context } = run;
  const { product, ...range } = readFilters(context, item);
  const choice = readField<OutputChoice | 'totals'>(context, output, item);
  const form = { simplify: readField<boolean>(context, simplifyChoice, item), licenseKeys };
  if (choice === 'totals') {
    yield* readTotals(run, { product, ...range }, readField(context, groupBy, item), form);
    return;
  }
  const returnAll = readField<boolean>(context, returnAllField, item);
  const limit = returnAll ? undefined : readField<number>(context, limitField, item);
  const isWhole = choice !== 'orders' || readField<boolean>(context, includeDetailsField, item);
  const productName = product === undefined ? undefined : productNameTest(product);
  const walk = { ...range, limit, signal: context.getExecutionCancelSignal() };
  const detailed = { ...walk, productName, skipWithoutCodes: choice === 'licenseCodes' };
  const orders =
    isWhole || productName ? readDetails(run, detailed, isWhole ? form : undefined) : readEntries(run, walk);
  for await (const { order, error } of licenseKeys === 'full' ? orders : together(orders, licenseKeys)) {
    if (error) yield failedOrder(run, order, error, licenseKeys, item);
    else {
      if (isWhole) run.hints.addOrder(protectOrder(order as Order, licenseKeys));
      yield* orderItems(order, choice, { ...form, isEntry: !isWhole }, productName);
    }
  }
};

/** An order to output. */
interface Read {
  order: AnyOrder;
  /** Its details, if they were read. */
  details?: Order | undefined;
  /** Why its details cannot be read. */
  error?: OrderLicenseError | undefined;
}

/** Waits for all orders, so that each can hide the license keys of the others. If the list fails, yields those read. */
async function* together(orders: AsyncIterable<Read>, licenseKeys: LicenseKeys): AsyncIterable<Read> {
  const read: Read[] = [];
  try {
    for await (const one of orders) read.push(one);
  } finally {
    protectTogether(
      read.flatMap(({ order, details }) => (details ? [order, details] : [order])),
      licenseKeys,
    );
    yield* read;
  }
}

async function* readEntries({ client, hints }: Run, options: WalkOptions): AsyncIterable<Read> {
  const orders = client.orders(options);
  try {
    for await (const order of orders) yield { order };
  } finally {
    hints.addGaps(orders.gaps);
  }
}

/**
 * Yields orders that were read in full. Ends after an order that cannot be read, unless the node is set to continue.
 * @param form how to add the details to the list entry; undefined if only the list entries are output
 */
async function* readDetails(
  { context, client, hints }: Run,
  options: OrderDetailsOptions,
  form: OutputForm | undefined,
): AsyncIterable<Read> {
  const details = client.orderDetails(options);
  try {
    for await (const { summary, order, error } of details) {
      yield { order: form && !error ? mergeOrder(summary, order, form) : summary, details: order, error };
      if (error && !continuesOnError(context)) return;
    }
  } finally {
    hints.addGaps(details.gaps);
  }
}

/**
 * Returns the error for an order that cannot be read.
 * @throws {NodeError} this error, if the node is set to stop
 */
const failedOrder = (
  { context, hints }: Run,
  order: AnyOrder,
  error: OrderLicenseError,
  licenseKeys: LicenseKeys,
  item: number,
): NodeError => {
  const listed = protectOrder(order as OrderSummary, licenseKeys);
  const failed = toNodeError(context.getNode(), protectError(error, licenseKeys), item, listed);
  if (!continuesOnError(context)) {
    failed.description = `${failed.description} To read the other orders, set 'On Error' to 'Continue' in the node's settings.`;
    throw failed;
  }
  hints.addUnreadOrder(listed);
  return failed;
};
