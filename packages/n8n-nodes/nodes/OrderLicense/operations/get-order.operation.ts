import { orderIdPattern, orderNumberText } from '@order-license/core/host';
import { isOrderLicenseError, type OrderId, type OrderLicenseError } from '@order-license/core/portable';
import type { INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { licenseKeysFields, protectOrder } from '../../shared/license-keys';
import { orderItems, outputChoices, outputField, simplifyField } from '../../shared/output';
import { alsoForModels, toolDescription } from './as-tool';
import { inputError, linked, type Operation, type Run, readOutput, readSwitch, whenOrder } from './operation';

const displayOptions = whenOrder('getOrder');

/**
 * List requests for one number: 14 find one among 100,000 orders; if numbers are unsorted, 20 read the newest 1,000.
 */
const maxRequests = 20;

const description =
  'Read one order: positions, prices, license codes and download URLs. Only paid (bezahlt) and completed (abgeschlossen) orders have license codes. License keys may be masked, such as ****4F2A; only the owner of this workflow can change that.';

export const getOrderFields: INodeProperties[] = [
  toolDescription(description, displayOptions),
  ...alsoForModels({
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
            message: "If loading takes longer than expected, choose 'Number' or 'ID'",
            timeout: 10_000,
          },
        },
      },
      {
        displayName: 'Number',
        name: 'number',
        type: 'string',
        placeholder: 'e.g. B-2026-000042',
        validation: [
          {
            type: 'regex',
            properties: { regex: '.*\\S.*', errorMessage: 'Enter an order number' },
          },
        ],
      },
      {
        displayName: 'ID',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. 10042',
        hint: "The internal ID from the 'id' field of List Orders, not the order number",
        validation: [
          {
            type: 'regex',
            properties: {
              regex: `\\s*${orderIdPattern}\\s*`,
              errorMessage: 'An order ID is a whole number of at least 1',
            },
          },
        ],
      },
    ],
  }),
  outputField(displayOptions),
  ...licenseKeysFields(displayOptions),
  simplifyField(displayOptions),
];

/** One order with items, license codes and download URLs (§4.3). One request, more by order number. */
export const getOrder: Operation = async (run, item, licenseKeys) => {
  const { context, client, hints } = run;
  const choice = readOutput(context, outputChoices, item);
  const simplify = readSwitch(context, 'simplify', 'Simplify', item);
  const id = await orderId(run, item);
  const order = await client.getOrder(id, { signal: context.getExecutionCancelSignal() });
  hints.addOrder(protectOrder(order, licenseKeys));
  return linked(orderItems(order, choice, { simplify, licenseKeys }), item);
};

const orderId = async ({ context, finder }: Run, item: number): Promise<OrderId> => {
  const given = context.getNodeParameter('order', item) as INodeParameterResourceLocator | OrderId | null;
  if (typeof given !== 'object' || given === null) return given as OrderId;
  const { mode, value } = given;
  if (mode !== 'number') return value as OrderId;
  const wanted = orderNumberText(value);
  if (wanted === '') {
    throw inputError(
      context,
      item,
      'The order number is empty',
      "Set an order number such as B-2026-000042 in the 'Order' field.",
    );
  }
  const search = { maxRequests, signal: context.getExecutionCancelSignal() };
  const { summary } = await finder.find(wanted, search).catch((error: unknown) => {
    if (!isOrderLicenseError(error) || !error.search) return Promise.reject(error);
    return Promise.reject(inputError(context, item, error.detail, adviceFor(error.search), error.code));
  });
  return summary.id;
};

/** Advice for a number that was not found. */
const adviceFor = ({ between, nextPage }: NonNullable<OrderLicenseError['search']>): string => {
  if (nextPage === undefined)
    return 'Check the order number, and that the order belongs to the account of the API key.';
  const byId = "choose 'ID'; 'List Orders' with 'Return All' returns the IDs.";
  if (between) return `Check the order number. If your order numbers do not rise with the dates, ${byId}`;
  return `The order numbers of this account do not rise with the dates, so only the newest orders were searched. For an older order, ${byId}`;
};
