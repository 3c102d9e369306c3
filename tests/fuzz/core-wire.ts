import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createNodeHost } from '@order-license/core';
import { createClient } from '@order-license/core/portable';
import { plantedKey } from '@order-license/testing/canary';
import { fuzzBytes } from './answers.ts';
import { type Area, holdsFor } from './area.ts';
import { answerOrNamedError } from './shop.ts';

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
