import { type Client, createClient, type OnEvent } from '@order-license/core/portable';
import { version } from '../../package.json';
import { type Credential, checkCredential } from './credential';
import { createHost, type NodeContext } from './host';

/**
 * Reads a node's credential and checks it without sending anything.
 * @throws `configuration` if the credential is invalid
 */
export const readCredential = async (context: NodeContext): Promise<Credential> =>
  checkCredential(await context.getCredentials('orderLicenseApi'));

/**
 * Creates a client for the credential. All clients in one n8n process with the same base URL and API key share one
 * request count.
 */
export const clientFor = (context: NodeContext, credential: Credential, onEvent?: OnEvent): Client =>
  createClient({
    host: createHost(context),
    baseUrl: credential.baseUrl,
    apiKey: credential.apiKey,
    rateLimit: { requests: credential.requestsPerMinute, reserve: reserveOf(credential) },
    userAgent: `n8n-nodes-order-license/${version}`,
    onEvent,
  });

/** Requests per minute reserved for users in the editor and the first request of each poll: 8 of 60. */
const reserveOf = ({ requestsPerMinute }: Credential): number => Math.floor(requestsPerMinute / 7);
