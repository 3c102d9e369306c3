import { type Client, createNodeHost, isOrderLicenseError } from '@order-license/core';
import { createClient, type Host } from '@order-license/core/portable';
import type { MockServer } from '@order-license/mock-api';
import { plantedKey } from '@order-license/testing/canary';
import { strikes } from './fault-cases.ts';
import { answered, type Subject, type SubjectOptions } from './subject.ts';

/** The core client, over undici and real sockets. Only its waits take no time. */
export const openCoreClient = (service: MockServer, { canary }: SubjectOptions): Subject => {
  let waitedMs = 0;
  const host: Host = {
    ...createNodeHost(),
    now: () => waitedMs,
    async sleep(ms) {
      waitedMs += ms;
    },
  };
  const open = (timeoutMs: number): Client =>
    createClient({
      host,
      baseUrl: service.baseUrl,
      apiKey: plantedKey,
      timeoutMs,
      rateLimit: { requests: 1_000_000, minGapMs: 0 },
      onEvent: (event) => canary.other(event),
    });
  const [patient, hasty] = [open(30_000), open(150)];
  const ids = service.state
    .orders('business')
    .page(0, 1_000)
    .map(({ id }) => id);

  /** Reads one order twice. */
  const readTwice = async (client: Client): Promise<void> => {
    for (let time = 0; time < 2; time++) canary.answer(await client.getOrder(ids[0] ?? 0));
  };

  /** Walks over all orders. After an error, removes the fault and resumes the walk. */
  const walk = async (client: Client): Promise<void> => {
    const orders = client.orders();
    const given: number[] = [];
    const goOn = async () => {
      for await (const { id } of orders) given.push(id);
    };
    const failed = await goOn().catch((error: unknown) => error);
    if (isOrderLicenseError(failed)) {
      if (given.length !== 50) throw new Error(`It ended after ${given.length} orders.`);
      service.faults.clear();
      await goOn();
    }
    if (given.join() !== ids.join()) throw new Error('An order was lost or returned twice.');
    if (failed) throw failed;
  };

  return {
    title: 'The client (core)',
    about:
      'The client reads one order twice, and walks over 130 orders in three pages, with the fault from the second page on. After an error, the walk resumes when the fault is over; the test fails unless each order is returned exactly once.',
    columns: {
      once: 'once',
      always: 'always',
      onceUnderWay: 'once in a walk',
      alwaysUnderWay: 'for the rest of a walk',
    },
    async run(rule, strike) {
      const underWay = 'skip' in strikes[strike];
      const before = service.journal.total();
      service.faults.add(rule);
      try {
        // If no response will arrive, a short timeout keeps the test fast.
        await (underWay ? walk : readTwice)(rule.kind === 'hang' ? hasty : patient);
        return answered(rule, service.journal.total() - before - (underWay ? 3 : 2));
      } catch (error) {
        if (!isOrderLicenseError(error)) throw error;
        canary.other(error);
        return `\`${error.code}\``;
      } finally {
        // The fault can leave a broken connection in the pool. This request replaces it, so that the next run is not
        // affected.
        service.faults.clear();
        await patient.getMe();
      }
    },
  };
};
