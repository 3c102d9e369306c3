import { type Client, type ClientOptions, createClient, type OnEvent } from '@order-license/core/portable';
import { version } from '../../package.json';
import { type Credential, checkCredential } from './credential';
import { createHost, type NodeContext } from './host';

/**
 * The credential of a node.
 * @throws `configuration` for an invalid one; nothing is sent
 */
export const readCredential = async (context: NodeContext): Promise<Credential> =>
  checkCredential(await context.getCredentials('orderLicenseApi'));

/**
 * A client for the credential. All clients of one n8n process with the same base URL and key share one count of
 * requests.
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
    onEvent,
    ...more,
  });

/** Requests per minute reserved for users in the editor and the first request of each poll: 8 of 60. */
const reserveOf = ({ requestsPerMinute }: Credential): number => Math.floor(requestsPerMinute / 7);
