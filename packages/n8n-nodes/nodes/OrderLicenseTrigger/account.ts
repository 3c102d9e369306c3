import type { User } from '@order-license/core/portable';
import type { Credential } from '../shared/client';
import { hashOf } from './watch';

/**
 * What a saved watch is known by: the service, and the user there. A user without ID is known by the e-mail address, or
 * else by a print of the API key, of 32 bits, from which no key can be told.
 */
export const accountOf = ({ user_id, email }: Partial<User>, { baseUrl, apiKey }: Credential): string =>
  `${serviceOf(baseUrl)} ${user_id ?? (email || hashOf(apiKey))}`;

const serviceOf = (baseUrl: string): string => {
  const { host, pathname } = new URL(baseUrl);
  return host + pathname.replace(/\/+$/, '');
};
