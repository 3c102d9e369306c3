import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createNodeHost } from '@order-license/core';
import {
  createClient,
  type OrderDetailsOptions,
  type OrderId,
  type TotalsOptions,
  type WalkOptions,
} from '@order-license/core/portable';
import { plantedKey, refuseSecrets } from '@order-license/testing/canary';
import { fuzzValue } from '@order-license/testing/fuzz-values';
import fc from 'fast-check';
import { fuzzAnswer, fuzzBytes } from './answers.ts';
import { type Area, holdsFor, isApiRequest } from './area.ts';
import { answerOrNamedError, clientOf, openShop } from './shop.ts';

const operations = ['getMe', 'listOrders', 'getOrder', 'walk', 'filteredWalk', 'findOrder'] as const;

export const coreAnswers: Area = {
  name: 'responses to the client',
  holds: 'a result or a documented error; no key in an error or an event',
  share: 45,
  open: async () => ({
    property: holdsFor(
      fc.record({ answer: fuzzAnswer, operation: fc.constantFrom(...operations) }),
      async ({ answer, operation }) => {
        const { client, signal, events } = clientOf(answer);
        const reads = {
          getMe: () => client.getMe({ signal }),
          listOrders: () => client.listOrders({ signal }),
          getOrder: () => client.getOrder(7, { signal }),
          walk: () => Array.fromAsync(client.orders({ signal, limit: 1_000 })),
          filteredWalk: () =>
            Array.fromAsync(client.orders({ status: 'bezahlt', createdFrom: new Date(0), signal, limit: 1_000 })),
          findOrder: () => client.findOrder('B-2', { signal }),
        };
        const given = await answerOrNamedError(reads[operation]);
        if (given !== undefined && (typeof given !== 'object' || given === null)) throw new Error(`It gave ${given}.`);
        refuseSecrets(events);
      },
    ),
  }),
};

export const coreWire: Area = {
  name: 'bytes on the wire to the client',
  holds: 'a result or a documented error within two seconds',
  share: 4,
  async open() {
    let bytes = Buffer.alloc(0);
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(bytes));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createClient({
      host: createNodeHost(),
      baseUrl: `http://127.0.0.1:${port}/api/v1`,
      apiKey: plantedKey,
      retries: 0,
      maxWaitMs: 0,
      timeoutMs: 2_000,
      // No request waits: the limit is never reached.
      rateLimit: { requests: 1_000_000, minGapMs: 0, windowMs: 1, guardMs: 0 },
    });
    return {
      property: holdsFor(fuzzBytes, async (given) => {
        // Other areas test 429; here it would only delay the following cases.
        bytes = Buffer.from(given.toString('latin1').replace(/^(\S+ )429/, '$1420'), 'latin1');
        await answerOrNamedError(() => client.getOrder(7));
      }),
      async close() {
        server.close();
      },
    };
  },
};

const calls = ['getOrder', 'listOrders', 'limited', 'orders', 'findOrder', 'totals', 'orderDetails'] as const;

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
          limited: async () => Array.fromAsync(client.orders({ status: two as 'bezahlt', limit: one as number })),
          async orders() {
            const options = {
              createdFrom: typeof two === 'number' ? new Date(two) : one,
              createdBefore: two,
            };
            for await (const _ of client.orders(options as WalkOptions)) break;
          },
          totals: () => client.totals({ status: one, createdFrom: two, groupBy: two } as TotalsOptions),
          orderDetails: async () =>
            client.orderDetails({ productName: one, limit: two, skip: one } as OrderDetailsOptions).next(),
          findOrder: () => client.findOrder(one as string, { maxRequests: two as number }),
        };
        await answerOrNamedError(reads[call]);
        for (const url of asked()) if (!isApiRequest(url)) throw new Error(`Unexpected request: ${url}`);
      }),
    };
  },
};
