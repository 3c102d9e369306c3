import { maskUser } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { toolDescription } from '../../shared/as-tool';
import type { Operation } from './operation';

const description = 'Read the account that the orders belong to: company, VAT ID, name and email address.';

export const getMeFields = [toolDescription(description, { show: { resource: ['account'], operation: ['getMe'] } })];

/**
 * Outputs the owner of the API key (§4.1) as one item. For an AI agent's tool, the item has only the documented fields.
 * Sends one request.
 */
export const getMe: Operation = async function* ({ context, client }, _item, licenseKeys) {
  const user = await client.getMe({ signal: context.getExecutionCancelSignal() });
  yield (licenseKeys === 'full' ? user : maskUser(user)) as unknown as IDataObject;
};
