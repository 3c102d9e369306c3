import { type Client, type ClientOptions, createClient, type OnEvent } from '@order-license/core/portable';
import { NodeOperationError } from 'n8n-workflow';
import { version } from '../../package.json';
import { recordWait } from './busy-keys';
import { withDetails } from './errors';
import { createHost, type NodeContext } from './host';

export interface Credential {
  baseUrl: string;
  apiKey: string;
  requestsPerMinute: number;
}

/**
 * The credential in n8n's format; an empty number means 60.
 * @throws {NodeOperationError} for an invalid number of requests
 */
export const readCredential = async (context: NodeContext): Promise<Credential> => {
  const { baseUrl, apiKey, ...rest } = await context.getCredentials<Credential>('orderLicenseApi');
  const requestsPerMinute = Number(rest.requestsPerMinute || 60);
  if (Number.isInteger(requestsPerMinute) && requestsPerMinute >= 1 && requestsPerMinute <= 60) {
    return { baseUrl, apiKey, requestsPerMinute };
  }
  const error = new NodeOperationError(context.getNode(), "'Requests per Minute' is not a whole number from 1 to 60", {
    description: 'Set it in the credential. The service allows 60 requests per minute and API key.',
  });
  throw withDetails(error, { code: 'configuration' });
};

/**
 * A client for the credential. All clients of one n8n process with the same base URL and key share one count of
 * requests.
 * @throws `configuration` for an invalid credential; nothing is sent
 */
export const clientFor = (
  context: NodeContext,
  credential: Credential,
  onEvent?: OnEvent,
  more: Pick<ClientOptions, 'retries' | 'bulkRetryMs'> = {},
): Client =>
  createClient({
    host: createHost(context),
    baseUrl: credential.baseUrl,
    apiKey: credential.apiKey,
    rateLimit: { requests: credential.requestsPerMinute, reserve: reserveOf(credential) },
    userAgent: `n8n-nodes-order-license/${version}`,
    onEvent(event) {
      recordWait(credential, event);
      onEvent?.(event);
    },
    ...more,
  });

/** Requests per minute reserved for users in the editor and the first request of each poll: 8 of 60. */
const reserveOf = ({ requestsPerMinute }: Credential): number => Math.floor(requestsPerMinute / 7);
