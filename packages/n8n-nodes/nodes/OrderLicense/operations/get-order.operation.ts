import { argumentError, numberAdvice, type OrderSearch, orderIdPattern, readOrderId } from '@order-license/core/host';
import { marker } from '@order-license/core/masking';
import { type ErrorCode, isOrderLicenseError, type OrderId, type OrderSummary } from '@order-license/core/portable';
import type { INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { adviceForModel, alsoForModels, isTool, toolDescription } from '../../shared/as-tool';
import { adviseIfMissing, listedAdvice } from '../../shared/errors';
import { isBlank, readField } from '../../shared/fields';
import { licenseKeysFields, protectOrder } from '../../shared/license-keys';
import { mergeOrder, type OutputChoice, orderItems, outputField, simplifyField } from '../../shared/output';
import { type Operation, type Run, whenOrder } from './operation';

const displayOptions = whenOrder('getOrder');

/**
 * Maximum number of list requests for one order number. If the numbers are sorted, 14 requests find an order among
 * 100,000. If they are unsorted, 20 requests cover the newest 1,000 orders.
 */
const maxRequests = 20;

const description = `Read one order: line items, prices, license codes and download URLs. Only paid (bezahlt) and completed (abgeschlossen) orders have license codes. License keys may be masked, such as ${marker}4F2A; only the owner of this workflow can change that.`;

const output = outputField(displayOptions);
const simplifyChoice = simplifyField(displayOptions);

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
        hint: 'Type to search the newest 500 orders by number, date, status or amount. To find an older order, enter its complete number.',
        typeOptions: {
          searchListMethod: 'searchOrders',
          searchable: true,
          slowLoadNotice: {
            message: "Waiting for the rate limit. To skip the list, choose 'By Number'.",
            timeout: 5_000,
          },
        },
      },
      {
        displayName: 'By Number',
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
        displayName: 'By ID',
        name: 'id',
        type: 'string',
        placeholder: 'e.g. 10042',
        hint: "The 'orderId' from List Orders, not the order number",
        validation: [
          {
            type: 'regex',
            properties: {
              regex: `\\s*${orderIdPattern}\\s*`,
              errorMessage: "An order ID is a positive whole number. To enter an order number, choose 'By Number'",
            },
          },
        ],
      },
    ],
  }),
  output,
  ...licenseKeysFields(displayOptions),
  simplifyChoice,
];

/**
 * Outputs one order with line items, license codes and download URLs (§4.3). Sends one request, or more to find an
 * order by its number.
 */
export const getOrder: Operation = async function* (run, item, licenseKeys) {
  const { context, client, hints } = run;
  const choice = readField<OutputChoice>(context, output, item);
  const simplify = readField<boolean>(context, simplifyChoice, item);
  const { entry, ifMissing } = await wantedOrder(run, item);
  const { id, ...listed } = entry;
  const reading = client.getOrder(id, { signal: context.getExecutionCancelSignal() });
  const details = await reading.catch((error: unknown) => Promise.reject(adviseIfMissing(error, ifMissing)));
  const order = mergeOrder(listed, details, { simplify });
  hints.addOrder(protectOrder(order, licenseKeys));
  yield* orderItems(order, choice, { simplify, licenseKeys });
};

/** The order to read. */
interface Wanted {
  /** The order's ID; for an order found by its number, also the other fields of its list entry. */
  entry: OrderSummary | { id: OrderId };
  /** What to do if the API has no such order. */
  ifMissing: string;
}

const wantedOrder = async ({ context, finder }: Run, item: number): Promise<Wanted> => {
  const given = context.getNodeParameter('order', item) as INodeParameterResourceLocator | OrderId | null;
  const { mode, value } = typeof given === 'object' && given !== null ? given : { mode: 'id', value: given };
  if (isBlank(value)) {
    const advice = 'Choose an order from the list, or enter its number, such as B-2026-000042, or its ID.';
    throw argumentError("'Order' is empty", adviceForModel({ name: 'order' }, context) ?? advice);
  }
  if (mode !== 'number') {
    const ifMissing = mode === 'list' ? listedAdvice : isTool(context) ? 'Check the ID.' : checkId;
    if (readOrderId(value) !== undefined) return { entry: { id: value as OrderId }, ifMissing };
    const advice =
      "Use the 'orderId' from List Orders, not its order number. To enter an order number, choose 'By Number'.";
    throw argumentError('The order ID is not a positive whole number', advice);
  }
  const search = { maxRequests, signal: context.getExecutionCancelSignal() };
  const { summary } = await finder.find(value as string, search).catch((error: unknown) => {
    if (!isOrderLicenseError(error) || !error.search) throw error;
    throw Object.assign(error, { advice: adviceFor(error.code, error.search, value, isTool(context)) });
  });
  return { entry: summary, ifMissing: listedAdvice };
};

const checkId =
  "Check the 'Order' field. To enter an order number instead of the internal ID, choose 'By Number'. The order must belong to the account that owns the API key.";

/** Returns the advice for an order number that was not found. */
const adviceFor = (code: ErrorCode, search: OrderSearch, number: unknown, forModel: boolean): string => {
  const other = forModel
    ? 'list the orders by date instead.'
    : "choose 'By ID'. 'List Orders' with 'Return All' returns the ID of every order.";
  const advice = [
    numberAdvice(search),
    code === 'not_located' && `If newer orders can have lower numbers in your shop, ${other}`,
    /^\s*\d+\s*$/.test(String(number)) && !forModel && "If you entered an order ID, choose 'By ID'.",
  ];
  return advice.filter(Boolean).join(' ');
};
