import type { IDataObject } from 'n8n-workflow';
import { linked, type Operation } from './operation';

/** The owner of the API key (§4.1): one item, as the service sent it. One request. */
export const getMe: Operation = async ({ context, client }, item) => {
  const user = await client.getMe({ signal: context.getExecutionCancelSignal() });
  return linked([user as unknown as IDataObject], item);
};
