import { createHash } from 'node:crypto';

/** The name under which processes with the same service and key meet. The API key cannot be read out of it. */
export const storeKey = (baseUrl: string, apiKey: string): string =>
  createHash('sha256').update(`order-license\n${baseUrl}\n${apiKey}`).digest('hex');
