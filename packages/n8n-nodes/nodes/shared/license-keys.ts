import { isOrderLicenseError, maskOrder, type Order, type OrderSummary } from '@order-license/core/portable';
import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { type FieldContext, isTool, readField } from './fields';

/** How much of the license keys an output contains. */
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

/** The field *License Keys*. */
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
 * The same field for a node that AI agents can use as a tool: as a tool, it masks keys by default.
 * @param cases when the field is shown: in each of these cases
 */
export const licenseKeysFields = (...cases: IDisplayOptions[]): INodeProperties[] =>
  cases.flatMap((displayOptions) => {
    const when = (isTool: boolean) => ({ ...displayOptions, show: { ...displayOptions.show, '@tool': [isTool] } });
    const forModel = 'How license keys are shown to the model and its provider, and in saved executions';
    return [licenseKeysField(when(false)), { ...licenseKeysField(when(true), forModel), default: 'masked' }];
  });

/**
 * The choice, or the default where the field is not shown: `masked` for a tool, even in an n8n that does not support
 * `@tool`.
 * @throws {NodeOperationError} for any other value
 */
export const readLicenseKeys = (context: FieldContext, item?: number): LicenseKeys =>
  readField(context, { ...licenseKeysField({}), default: isTool(context) ? 'masked' : 'full' }, item);

/** An order in the API's format, with its license keys in the chosen form. */
export const protectOrder = <Any extends Order | OrderSummary>(order: Any, licenseKeys: LicenseKeys): Any => {
  if (licenseKeys === 'full') return order;
  const known = protectedOrders[licenseKeys].get(order);
  if (known) return known as Any;
  const masked = maskOrder(order as Order);
  const shown = licenseKeys === 'masked' ? masked : (withoutKeys(masked) as object);
  protectedOrders[licenseKeys].set(order, shown);
  return shown as Any;
};

/** The trigger outputs the codes of an order one by one, but masking needs the whole order. */
const protectedOrders = { masked: new WeakMap<object, object>(), leftOut: new WeakMap<object, object>() };

const secretFields = ['license_key', 'download_url_64', 'download_url_32'];

/** Every field with a key or a download URL, at any depth. */
const withoutKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !secretFields.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutKeys(inner)]));
};

/** Removes texts of the response from an error, since they could contain a license key. */
export const protectError = (error: unknown, licenseKeys: LicenseKeys): unknown =>
  licenseKeys !== 'full' && isOrderLicenseError(error)
    ? Object.assign(error, { serverText: undefined, received: undefined })
    : error;
