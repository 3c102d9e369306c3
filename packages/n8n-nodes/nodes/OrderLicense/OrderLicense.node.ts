import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { isTool } from '../shared/as-tool';
import { clientFor, readCredential } from '../shared/client';
import { type NodeError, toErrorItem, toNodeError } from '../shared/errors';
import { readField } from '../shared/fields';
import { type LicenseKeys, protectError, readLicenseKeys } from '../shared/license-keys';
import { createExecutionHints, type ExecutionHints, nothingFound } from './operations/execution-hints';
import { getMe, getMeFields } from './operations/get-me.operation';
import { getOrder, getOrderFields } from './operations/get-order.operation';
import { listOrders, listOrdersFields } from './operations/list-orders.operation';
import { continuesOnError, type Run } from './operations/operation';
import { createRunEnd } from './run-end';
import { searchOrders } from './search-orders';

const operations = { getMe, getOrder, listOrders };

/** Used only to check the value, because the editor shows the operations of one resource at a time. */
const operationField: INodeProperties = {
  displayName: 'Operation',
  name: 'operation',
  type: 'options',
  noDataExpression: true,
  default: '',
  options: Object.keys(operations).map((value) => ({ name: value, value })),
};

export class OrderLicense implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Order License',
    name: 'orderLicense',
    icon: { light: 'file:../../icons/order-license.svg', dark: 'file:../../icons/order-license.dark.svg' },
    group: ['input'],
    version: 1,
    subtitle: '={{ { getMe: "get me", getOrder: "get order", listOrders: "list orders" }[$parameter["operation"]] }}',
    description: 'Read orders, license codes and download URLs',
    defaults: { name: 'Order License' },
    usableAsTool: true,
    builderHint: {
      searchHint:
        'To add up or count orders, use List Orders with output "totals"; never add up amounts in other nodes. For license codes, use output "licenseCodes": one item per code. Get Order accepts an order number in mode "number". To react to new orders, payments or license codes, use Order License Trigger instead of a schedule. Leave Retry On Fail off: the node itself retries and stays within the rate limit.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-order-license.orderLicenseTrigger',
          relationHint: 'Starts a workflow when an order is created, its status changes or it gets license codes',
        },
      ],
    },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'orderLicenseApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        default: 'order',
        options: [
          { name: 'Account', value: 'account' },
          { name: 'Order', value: 'order' },
        ],
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'getMe',
        displayOptions: { show: { resource: ['account'] } },
        options: [
          {
            name: 'Get Me',
            value: 'getMe',
            action: 'Get the owner of the API key',
            description: 'Read the account that owns the API key',
          },
        ],
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'listOrders',
        displayOptions: { show: { resource: ['order'] } },
        options: [
          {
            name: 'Get Order',
            value: 'getOrder',
            action: 'Get an order',
            description: 'Read an order with its line items, license codes and download URLs',
          },
          {
            name: 'List Orders',
            value: 'listOrders',
            action: 'List orders',
            description: 'Read orders, newest first, or their totals',
          },
        ],
      },
      ...getMeFields,
      ...getOrderFields,
      ...listOrdersFields,
    ],
  };

  methods = { listSearch: { searchOrders } };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const node = this.getNode();
    const signal = this.getExecutionCancelSignal();
    const hints = createExecutionHints(this);
    const endOf = createRunEnd();
    const found: INodeExecutionData[] = [];
    let run: Run | undefined;
    /** Set once the run has ended: the error for all other input items. */
    let end: NodeError | undefined;
    for (const item of this.getInputData().keys()) {
      if (end) {
        found.push(toErrorItem(end, item, true));
        continue;
      }
      // Until the user's choice has been read, errors omit everything that could contain a license key.
      let licenseKeys: LicenseKeys = 'leftOut';
      try {
        licenseKeys = readLicenseKeys(this, item);
        const operation = readField<keyof typeof operations>(this, operationField, item);
        run ??= await startRun(this, hints);
        for await (const json of operations[operation](run, item, licenseKeys)) {
          const failed = json instanceof Error ? json : undefined;
          end = endOf(failed) ? failed : undefined;
          found.push(failed ? toErrorItem(failed, item) : { json: json as IDataObject, pairedItem: { item } });
        }
        endOf(undefined);
      } catch (error) {
        const nodeError = toNodeError(node, protectError(error, licenseKeys), item);
        if (!continuesOnError(this) || signal?.aborted) throw nodeError;
        found.push(toErrorItem(nodeError, item));
        if (endOf(nodeError)) end = nodeError;
      }
    }
    const isEmpty = run !== undefined && found.length === 0;
    const noItems = isEmpty && nothingFound(this.getNodeParameter('output', 0, 'orders'));
    hints.publish(noItems);
    // If a tool returns no items, some agents give the model an empty text.
    if (noItems && isTool(this)) found.push({ json: { result: noItems }, pairedItem: { item: 0 } });
    return [found];
  }
}

const startRun = async (context: IExecuteFunctions, hints: ExecutionHints): Promise<Run> => {
  const client = clientFor(context, await readCredential(context), hints.onEvent);
  return { context, client, hints, finder: client.orderFinder() };
};
