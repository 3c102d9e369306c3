import type { IncomingMessage } from 'node:http';
import { checkApiKey } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import type { Rejection } from '../auth/rejection.ts';

/** The header for a caller's own API key; Authorization is reserved for this server. */
const ownHeader = 'X-Order-License-Key';
/** Hosted clients let users set this one. Gateways may keep their own secrets in it. */
const sharedHeader = 'X-API-Key';

/**
 * The API key that a caller brings; undefined without one.
 * @param serverHasKey whether the server has a key: then X-API-Key is ignored, since it may contain a gateway's
 *   secret, which must not go to the shop
 * @returns 400 for a malformed key, and for two different keys
 */
export const readCallerKey = (
  { headersDistinct }: IncomingMessage,
  serverHasKey: boolean,
): string | undefined | Rejection => {
  const keys = new Set<string>();
  for (const header of serverHasKey ? [ownHeader] : [ownHeader, sharedHeader]) {
    for (const value of headersDistinct[header.toLowerCase()] ?? []) {
      try {
        keys.add(checkApiKey(value));
      } catch (error) {
        if (isOrderLicenseError(error)) return { status: 400, message: `${header}: ${error.message}` };
        throw error;
      }
    }
  }
  if (keys.size <= 1) return [...keys][0];
  return {
    status: 400,
    message: `The request has two different API keys; send one, as ${ownHeader}.`,
  };
};
