import type { IncomingMessage } from 'node:http';
import { checkApiKey } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import type { Rejection } from './rejection.ts';

/** Where a caller's own API key comes: Authorization belongs to this server alone. */
const ownHeader = 'X-Order-License-Key';
/** The one that hosted clients let their users set. Gateways keep secrets of theirs in it. */
const sharedHeader = 'X-API-Key';

/**
 * The API key that a caller brings; undefined without one.
 * @param serverHasKey whether there is a key without it: then X-API-Key is ignored, since it may hold a secret of a
 *   gateway, which must not go to the shop
 * @returns 400 for a key that cannot be right, and for two that differ
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
