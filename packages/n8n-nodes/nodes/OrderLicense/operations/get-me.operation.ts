import { maskUser } from '@order-license/core/portable';
import type { IDataObject } from 'n8n-workflow';
import { linked, type Operation } from './operation';

/** The owner of the API key (§4.1): one item, as the service sent it; a tool of an AI agent gets what the API docs name. One request. */
export const getMe: Operation = async ({ context, client }, item, licenseKeys) => {
  const user = await client.getMe({ signal: context.getExecutionCancelSignal() });
  const shown = licenseKeys === 'full' ? user : maskUser(user);
  return linked([shown as unknown as IDataObject], item);
};
