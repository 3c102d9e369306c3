// Runs the built pack in a simulated n8n, in its own process and with its own request count. Until the parent process
// ends it, a trigger polls, and exports and single reads use the rest of its limit.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { orderLicense, orderLicenseTrigger, prepare } from '../../servers/n8n-pack.ts';
import { type N8nCount, type N8nJob, parameters, useN8n } from './use-n8n.ts';

const [{ truth, ...credential }] = (await once(process, 'message')) as [N8nJob];
const end = new AbortController();
const { signal } = end;
const count: N8nCount = { exports: 0, reads: 0, problems: [] };
process.on('SIGINT', () => undefined);
process.on('message', (message) => {
  if (message === 'count') process.send?.(count);
  if (message === 'end') end.abort();
});

const execute = async (parameters: IDataObject): Promise<IDataObject[]> => {
  const { context } = prepare({ node: orderLicense, credential, parameters, cancelSignal: signal });
  const output = (await orderLicense.execute?.call(context as IExecuteFunctions)) as INodeExecutionData[][];
  return output.flat().map(({ json }) => json);
};
const watch = async (): Promise<void> => {
  const staticData: IDataObject = {};
  const options = { parameters: { events: ['newOrder', 'statusChanged'] }, staticData, pollBudgetMs: 300_000 };
  while (!signal.aborted) {
    const { context } = prepare({ node: orderLicenseTrigger, credential, ...options });
    const polling = orderLicenseTrigger.poll?.call(context as unknown as IPollFunctions);
    // n8n gives a poll no signal, so a poll cannot be aborted.
    const output = await Promise.race([polling, once(signal, 'abort').then(() => null)]);
    if (output) count.problems.push(`a poll started a workflow with ${output.flat().length} items`);
    await setTimeout(60_000, undefined, { signal }).catch(() => undefined);
  }
};
const n8n = {
  exportOrders: () => execute(parameters.list),
  async readOrder(id: number) {
    const order = { __rl: true, mode: 'id', value: String(id) };
    const [item] = await execute({ ...parameters.get, order });
    return item;
  },
};

await Promise.all([useN8n(n8n, truth, count, signal), watch()]);
// Exits without waiting for a poll that may still be in the queue.
process.send?.(count, () => process.exit());
