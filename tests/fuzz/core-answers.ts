import { refuseSecrets } from '@order-license/testing/canary';
import fc from 'fast-check';
import { fuzzAnswer } from './answers.ts';
import { type Area, holdsFor } from './area.ts';
import { answerOrNamedError, clientOf } from './shop.ts';

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
          walk: () => client.orders({ signal }).toArray({ limit: 1_000 }),
          filteredWalk: () =>
            client.orders({ status: 'bezahlt', createdFrom: new Date(0), signal }).toArray({ limit: 1_000 }),
          findOrder: () => client.findOrder('B-2', { signal }),
        };
        const given = await answerOrNamedError(reads[operation]);
        if (given !== undefined && (typeof given !== 'object' || given === null)) throw new Error(`It gave ${given}.`);
        refuseSecrets(events);
      },
    ),
  }),
};
