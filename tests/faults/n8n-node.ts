import type { MockServer } from '@order-license/mock-api';
import { plantedKey } from '@order-license/testing/canary';
import type { IDataObject } from 'n8n-workflow';
import { inFakeTime, passMinute } from '../servers/fake-time.ts';
import { detailsOfNodeError, type NodeFailure } from '../servers/n8n-error.ts';
import { orderLicense, prepare } from '../servers/n8n-pack.ts';
import { strikes } from './fault-cases.ts';
import { answered, type Subject, type SubjectOptions } from './subject.ts';

/** The built pack's node. */
export const openN8nNode = (service: MockServer, { canary }: SubjectOptions): Subject => {
  const ids = service.state
    .orders('business')
    .page(0, 1_000)
    .map(({ id }) => id);

  const execute = async (parameters: IDataObject, hasty = false): Promise<unknown[]> => {
    const { context, logs, hints, staticData } = prepare({
      node: orderLicense,
      credential: { baseUrl: service.baseUrl, apiKey: plantedKey },
      parameters: { resource: 'order', simplify: false, ...parameters },
    });
    try {
      const output = (
        await inFakeTime(() => orderLicense.execute?.call(context) as Promise<{ json: unknown }[][]>, hasty)
      ).flat();
      canary.answer(output);
      return output.map(({ json }) => json);
    } catch (error) {
      canary.other(error);
      throw error;
    } finally {
      canary.other([logs, hints, staticData]);
    }
  };
  const readTwice = async (hasty: boolean) => {
    const order = { __rl: true, mode: 'id', value: ids[0] } as IDataObject;
    for (let time = 0; time < 2; time++) await execute({ operation: 'getOrder', order }, hasty);
  };
  const walk = async (hasty: boolean) => {
    const given = await execute({ operation: 'listOrders', returnAll: true }, hasty);
    if (given.map((order) => (order as { id: number }).id).join() !== ids.join()) {
      throw new Error('An order was lost or returned twice.');
    }
  };

  return {
    title: 'The n8n node',
    about:
      'The node runs *Get Order* twice, and *List Orders* with *Return All* over 130 orders in three pages, with the fault from the second page on. The list either contains all orders, each exactly once, or ends with an error.',
    columns: {
      once: 'once',
      always: 'always',
      onceUnderWay: 'once in a list',
      alwaysUnderWay: 'for the rest of a list',
    },
    async run(rule, strike) {
      const underWay = 'skip' in strikes[strike];
      const before = service.journal.total();
      service.faults.add(rule);
      try {
        await (underWay ? walk : readTwice)(rule.kind === 'hang');
        return answered(rule, service.journal.total() - before - (underWay ? 3 : 2));
      } catch (error) {
        const failed = detailsOfNodeError(error as NodeFailure);
        if (!failed) throw error;
        return `\`${failed.code}\``;
      } finally {
        service.faults.clear();
        passMinute();
        await execute({ resource: 'account', operation: 'getMe' });
      }
    },
  };
};
