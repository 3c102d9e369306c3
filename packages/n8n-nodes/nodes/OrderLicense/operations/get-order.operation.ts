import { type OrderId, orderIdPattern, orderNumberText } from '@order-license/core/portable';
import type { INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { licenseKeysFields, protectOrder } from '../../shared/license-keys';
import { type OutputChoice, orderItems, outputField, simplifyField } from '../../shared/output';
import { inputError, linked, type Operation, type Run, whenOrder } from './operation';

const displayOptions = whenOrder('getOrder');

export const getOrderFields: INodeProperties[] = [
  {
    displayName: 'Order',
    name: 'order',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    required: true,
    displayOptions,
    description: 'The order to read',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        placeholder: 'Select an order...',
        typeOptions: {
          searchListMethod: 'searchOrders',
          searchable: true,
          slowLoadNotice: {
            message: "If loading takes longer than expected, choose 'By Number' or 'By ID'",
            timeout: 10_000,
          },
        },
      },
      {
        displayName: 'By Number',
        name: 'number',
        type: 'string',
        placeholder: 'e.g. B-2026-000042',
        hint: 'Looked for among the newest 1,000 orders: one request per 50 orders, before the one for the order itself',
        validation: [
          {
            type: 'regex',
            properties: { regex: '.*\\S.*', errorMessage: 'An order number has at least one character' },
          },
        ],
      },
      {
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. 10042',
        hint: "The internal ID: the field 'id' of an order in the list, not its order number",
        validation: [
          {
            type: 'regex',
            properties: { regex: `\\s*${orderIdPattern}\\s*`, errorMessage: 'An order ID is a whole number from 1 up' },
          },
        ],
      },
    ],
  },
  outputField(displayOptions),
  ...licenseKeysFields(displayOptions),
  simplifyField(displayOptions),
];

/** One order with positions, license codes and download URLs (§4.3). One request, more by order number. */
export const getOrder: Operation = async (run, item, licenseKeys) => {
  const { context, client, hints } = run;
  const choice = context.getNodeParameter('output', item) as OutputChoice;
  const simplify = context.getNodeParameter('simplify', item) as boolean;
  const id = await orderId(run, item);
  const order = await client.getOrder(id, { signal: context.getExecutionCancelSignal() });
  hints.addOrder(protectOrder(order, licenseKeys));
  return linked(orderItems(order, choice, { simplify, licenseKeys }), item);
};

const orderId = async ({ context, newest }: Run, item: number): Promise<OrderId> => {
  const given = context.getNodeParameter('order', item) as INodeParameterResourceLocator | OrderId;
  if (typeof given !== 'object') return given;
  const { mode, value } = given;
  if (mode !== 'number') return value as OrderId;
  const wanted = orderNumberText(value);
  if (wanted === '') {
    throw inputError(
      context,
      item,
      'The order number is empty',
      "Give an order number such as B-2026-000042 in the 'Order' field.",
    );
  }
  const { order, searched, total } = await newest.find(wanted, context.getExecutionCancelSignal());
  if (order) return order.id;
  const all = total !== undefined && searched >= total;
  throw inputError(
    context,
    item,
    `No order with the number ${wanted} among the ${all ? '' : 'newest '}${searched} orders of the account`,
    all
      ? 'Check the order number. An order of another account is not found either.'
      : `The account has ${total ?? 'more'} orders, and the API has no search. For an older order choose 'By ID'; 'List Orders' with 'Return All' gives the IDs.`,
    'not_found',
  );
};
