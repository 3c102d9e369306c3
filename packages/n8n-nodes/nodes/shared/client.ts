import { type Client, type ClientOptions, createClient, type OnEvent } from '@order-license/core/portable';
import { version } from '../../package.json';
import { createHost, type NodeContext } from './host';

export interface Credential {
  baseUrl: string;
  apiKey: string;
  requestsPerMinute: number;
}

/** The credential as n8n holds it; empty numbers read as the default. */
export const readCredential = async (context: NodeContext): Promise<Credential> => {
  const { baseUrl, apiKey, requestsPerMinute } = await context.getCredentials<Credential>('orderLicenseApi');
  return { baseUrl, apiKey, requestsPerMinute: requestsPerMinute || 60 };
};

/**
 * A client on the credential. All clients of one n8n process with the same base URL and key share one count of
 * requests.
 * @throws `configuration` for a credential that cannot be right; nothing is sent
 */
export const clientFor = (
  context: NodeContext,
  credential: Credential,
  onEvent?: OnEvent,
  more: Pick<ClientOptions, 'retries'> = {},
): Client =>
  createClient({
    host: createHost(context),
    baseUrl: credential.baseUrl,
    apiKey: credential.apiKey,
    rateLimit: { requests: credential.requestsPerMinute },
    userAgent: `n8n-nodes-order-license/${version}`,
    onEvent,
    ...more,
  });
