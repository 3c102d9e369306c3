// Runs the built pack in a simulated n8n, in its own process and with its own request count. Until the parent process
// ends it, a trigger polls, and exports and single reads use the rest of its limit.
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { orderLicense, orderLicenseTrigger, prepare } from '../../servers/n8n-pack.ts';
import { type Truth, wrongList, wrongOrder } from './truth.ts';

export interface N8nJob {
  baseUrl: string;
  apiKey: string;
  requestsPerMinute: number;
  truth: Truth;
}

export interface N8nCount {
  exports: number;
  reads: number;
  problems: string[];
}

/** Number of the newest orders that an export reads, with their details. */
const exportSize = 30;

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
  const all = { resource: 'order', simplify: false, ...parameters };
  const { context } = prepare({ node: orderLicense, credential, parameters: all, cancelSignal: signal });
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
const exportOrders = async (): Promise<(string | undefined)[]> => {
  const items = await execute({ operation: 'listOrders', limit: exportSize, includeDetails: true });
  count.exports += 1;
  const ids = items.map(({ id }) => id);
  return [wrongList(truth, 0, exportSize, ids), ...items.map((item) => wrongOrder(truth, Number(item.id), item))];
};
/** Reads an order, and then rests for ten seconds, as a user does. */
const readOrder = async (): Promise<(string | undefined)[]> => {
  const [id] = truth[count.reads % truth.length] as Truth[number];
  const [item] = await execute({ operation: 'getOrder', order: { __rl: true, mode: 'id', value: String(id) } });
  count.reads += 1;
  await setTimeout(10_000, undefined, { signal }).catch(() => undefined);
  return [wrongOrder(truth, id, item ?? {})];
};
/** Repeats the work until the signal aborts. */
const goOn = async (work: () => Promise<(string | undefined)[]>): Promise<void> => {
  while (!signal.aborted) {
    try {
      count.problems.push(...(await work()).filter((problem) => problem !== undefined));
    } catch (error) {
      const { message, description } = error as { message: string; description?: string };
      if (!signal.aborted) count.problems.push(`n8n: ${message} ${description ?? ''}`);
    }
  }
};

await Promise.all([goOn(exportOrders), goOn(readOrder), watch()]);
// Exits without waiting for a poll that may still be in the queue.
process.send?.(count, () => process.exit());
