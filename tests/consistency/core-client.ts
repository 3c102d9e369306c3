import { createClient, isOrderLicenseError, type OrderId, type StatusFilter } from '@order-license/core';
import { type EntryPoint, type Outcome, outcomeOf } from './entry-point.ts';

/** The core client, over undici. */
export const openCoreClient = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): EntryPoint => {
  const client = createClient({ baseUrl, apiKey, rateLimit: { requests: 1_000_000, minGapMs: 0 } });
  return {
    name: 'core client',
    getMe: () => outcome(() => client.getMe()),
    list: (status) => outcome(() => Array.fromAsync(client.orders({ status: status as StatusFilter }))),
    page: ({ page, perPage, status }) =>
      outcome(() =>
        client.listOrders({ page: page as number, perPage: perPage as number, status: status as StatusFilter }),
      ),
    getOrder: (id) => outcome(() => client.getOrder(id as OrderId)),
  };
};

const outcome = (read: () => Promise<unknown>): Promise<Outcome> =>
  outcomeOf(read, (error) => (isOrderLicenseError(error) ? error : undefined));
