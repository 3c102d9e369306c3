import { createHash } from 'node:crypto';

/** A name shared by processes with the same service and key. The API key cannot be recovered from it. */
export const storeKey = (baseUrl: string, apiKey: string): string =>
  createHash('sha256').update(`order-license\n${baseUrl}\n${apiKey}`).digest('hex');
