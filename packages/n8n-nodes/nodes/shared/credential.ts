import { checkApiKey, checkBaseUrl, configurationError } from '@order-license/core/host';

export interface Credential {
  /** URL of the API without trailing slashes. */
  baseUrl: string;
  /** The API key, without surrounding white space and without `Bearer`. */
  apiKey: string;
  /** A whole number from 1 to 60. */
  requestsPerMinute: number;
}

/** A credential as n8n stores it. */
export type StoredCredential = { [Name in keyof Credential]?: unknown };

/**
 * Checks a credential. Removes trailing slashes, white space and `Bearer`, which are often pasted with the values. If
 * the number of requests is empty, uses 60.
 * @throws `configuration`; the error does not contain the key
 */
export const checkCredential = ({ baseUrl, apiKey, requestsPerMinute }: StoredCredential): Credential => {
  const requests = Number(String(requestsPerMinute ?? '') || 60);
  if (!Number.isInteger(requests) || requests < 1 || requests > 60) {
    throw configurationError(
      "'Requests per Minute' is not a whole number from 1 to 60",
      'Correct it in the credential. The API allows 60 requests per minute per API key.',
    );
  }
  const key = typeof apiKey === 'string' ? apiKey.trim().replace(/^Bearer(\s+|$)/i, '') : apiKey;
  return { baseUrl: checkBaseUrl(baseUrl), apiKey: checkApiKey(key), requestsPerMinute: requests };
};
