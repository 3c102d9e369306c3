import type { IDataObject } from 'n8n-workflow';
import { inFakeTime, passMinute } from '../servers/fake-time.ts';
import { detailsOfNodeError, type NodeFailure } from '../servers/n8n-error.ts';
import { orderLicense, prepare } from '../servers/n8n-pack.ts';
import { type EntryPoint, type Outcome, outcomeOf } from './entry-point.ts';

/** The built pack's node, with raw output. Waits take no time, and a minute passes between runs. */
export const openN8nNode = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): EntryPoint => {
  const run = async (parameters: IDataObject): Promise<unknown[]> => {
    const { context } = prepare({
      node: orderLicense,
      credential: { baseUrl, apiKey },
      parameters: { simplify: false, ...parameters },
    });
    passMinute();
    const output = await inFakeTime(() => orderLicense.execute?.call(context) as Promise<{ json: unknown }[][]>);
    return output.flat().map(({ json }) => json);
  };
  return {
    name: 'n8n node',
    alone: true,
    getMe: () => outcome(async () => only(await run({ resource: 'account', operation: 'getMe' }))),
    list: (status) =>
      outcome(() =>
        run({
          resource: 'order',
          operation: 'listOrders',
          returnAll: true,
          filters: status === undefined ? {} : { status: status as string },
        }),
      ),
    getOrder: (id) =>
      outcome(async () => {
        const order = { __rl: true, mode: 'id', value: id } as IDataObject;
        return only(await run({ resource: 'order', operation: 'getOrder', order }));
      }),
  };
};

const only = (items: unknown[]): unknown => {
  if (items.length !== 1) throw new Error(`${items.length} items instead of one.`);
  return items[0];
};

const outcome = (read: () => Promise<unknown>): Promise<Outcome> =>
  outcomeOf(read, (error) => detailsOfNodeError(error as NodeFailure));
