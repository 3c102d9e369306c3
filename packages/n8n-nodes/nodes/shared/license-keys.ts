import { listOf, maskResponse, orderShape } from '@order-license/core/masking';
import { isOrderLicenseError, type Order, type OrderSummary } from '@order-license/core/portable';
import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { type FieldContext, isTool } from './as-tool';
import { readField } from './fields';

/** The form in which the output contains license keys. */
export type LicenseKeys = 'full' | 'masked' | 'leftOut';

const choices: { name: string; value: LicenseKeys; description: string }[] = [
  { name: 'Full', value: 'full', description: 'Unchanged' },
  { name: 'Left Out', value: 'leftOut', description: "Like 'Masked', but without license keys and download URLs" },
  {
    name: 'Masked',
    value: 'masked',
    description:
      'Shows the last four characters of long keys and the host of download URLs. Hides the billing address and undocumented fields.',
  },
];

export const licenseKeysField = (
  displayOptions: IDisplayOptions,
  description = 'How license keys appear in the output and in saved executions',
): INodeProperties => ({
  displayName: 'License Keys',
  name: 'licenseKeys',
  type: 'options',
  options: choices,
  default: 'full',
  displayOptions,
  description,
});

/**
 * Returns the field *License Keys* for a node that AI agents can use as a tool. In a tool, keys are masked by default.
 * @param cases the cases in which the field is shown
 */
export const licenseKeysFields = (...cases: IDisplayOptions[]): INodeProperties[] =>
  cases.flatMap((displayOptions) => {
    const when = (isTool: boolean) => ({ ...displayOptions, show: { ...displayOptions.show, '@tool': [isTool] } });
    const forModel = 'How license keys are shown to the model and its provider, and in saved executions';
    return [licenseKeysField(when(false)), { ...licenseKeysField(when(true), forModel), default: 'masked' }];
  });

/**
 * Returns the choice, or the default if the field is not shown: `masked` for a tool, even in n8n versions that do not
 * support `@tool`.
 * @throws `bad_request` for any other value
 */
export const readLicenseKeys = (context: FieldContext, item?: number): LicenseKeys =>
  readField(context, { ...licenseKeysField({}), default: isTool(context) ? 'masked' : 'full' }, item);

/** Returns the order in the API's format, with its license keys in the chosen form. */
export const protectOrder = <Any extends Order | OrderSummary>(order: Any, licenseKeys: LicenseKeys): Any => {
  if (licenseKeys === 'full') return order;
  if (!maskedOrders.has(order)) protectTogether([order], licenseKeys);
  const masked = maskedOrders.get(order) as object;
  return (licenseKeys === 'masked' ? masked : withoutKeys(masked)) as Any;
};

/**
 * Prepares the orders of one output for `protectOrder`, so that each order also hides the license keys of the others.
 */
export const protectTogether = (orders: readonly (Order | OrderSummary)[], licenseKeys: LicenseKeys): void => {
  if (licenseKeys === 'full') return;
  const masked = maskResponse({ orders }, { orders: listOf(orderShape) }).shown as { orders: object[] };
  for (const [place, order] of orders.entries()) maskedOrders.set(order, masked.orders[place] as object);
};

/** The masked copy of each order that `protectTogether` was given. */
const maskedOrders = new WeakMap<object, object>();

const secretFields = ['license_key', 'download_url_64', 'download_url_32'];

/** Removes every field with a license key or a download URL, at any depth. */
const withoutKeys = (value: object): object =>
  JSON.parse(JSON.stringify(value, (name, inner) => (secretFields.includes(name) ? undefined : inner)));

/**
 * Removes response texts from an error unless keys are shown in full, because the texts could contain a license key.
 */
export const protectError = (error: unknown, licenseKeys: LicenseKeys): unknown =>
  licenseKeys !== 'full' && isOrderLicenseError(error)
    ? Object.assign(error, { serverText: undefined, received: undefined })
    : error;
