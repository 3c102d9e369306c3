import type { OrderDetailsOptions, OrderId, TotalsOptions, WalkOptions } from '@order-license/core/portable';
import { fuzzValue } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';
import { type Area, holdsFor, isApiRequest } from './area.ts';
import { answerOrNamedError, openShop } from './shop.ts';

const calls = ['getOrder', 'listOrders', 'toArray', 'orders', 'findOrder', 'totals', 'orderDetails'] as const;

export const coreArguments: Area = {
  name: 'arguments to the client',
  holds: 'only the three read requests are sent; a result or a documented error',
  share: 15,
  async open() {
    const { client, asked } = openShop();
    const input = fc.record({ call: fc.constantFrom(...calls), one: fuzzValue, two: fuzzValue });
    return {
      property: holdsFor(input, async ({ call, one, two }) => {
        const reads = {
          getOrder: () => client.getOrder(one as OrderId),
          listOrders: () => client.listOrders({ page: one as number, perPage: two as number }),
          toArray: async () => client.orders({ status: two as 'bezahlt' }).toArray({ limit: one as number }),
          async orders() {
            const options = {
              createdFrom: typeof two === 'number' ? new Date(two) : one,
              createdBefore: two,
            };
            for await (const _ of client.orders(options as WalkOptions)) break;
          },
          totals: () => client.totals({ status: one, createdFrom: two, maxRequests: two } as TotalsOptions),
          orderDetails: async () =>
            client
              .orderDetails({ productName: one, limit: two, skip: one } as OrderDetailsOptions)
              .toArray({ limit: 1 }),
          findOrder: () => client.findOrder(one as string, { maxRequests: two as number }),
        };
        await answerOrNamedError(reads[call]);
        for (const url of asked()) if (!isApiRequest(url)) throw new Error(`Unexpected request: ${url}`);
      }),
    };
  },
};
