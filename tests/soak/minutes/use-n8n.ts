import { setTimeout } from 'node:timers/promises';
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
export const exportSize = 30;
/** The node's parameters for *List Orders* and *Get Order*. For *Get Order*, the order to read must be added. */
export const parameters = {
  list: { resource: 'order', operation: 'listOrders', limit: exportSize, includeDetails: true, simplify: false },
  get: { resource: 'order', operation: 'getOrder', simplify: false },
};

interface Item {
  id?: unknown;
  gesamtpreis_brutto?: unknown;
}

/** A simulated or real n8n. */
export interface N8n {
  exportOrders(): Promise<Item[]>;
  readOrder(id: number): Promise<Item | undefined>;
}

/** Runs one export after another, and reads an order every ten seconds as a user does, until the signal aborts. */
export const useN8n = async (n8n: N8n, truth: Truth, count: N8nCount, signal: AbortSignal): Promise<void> => {
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
  const exportOrders = async () => {
    const items = await n8n.exportOrders();
    count.exports += 1;
    const ids = items.map(({ id }) => id);
    return [wrongList(truth, 0, exportSize, ids), ...items.map((item) => wrongOrder(truth, Number(item.id), item))];
  };
  const readOrder = async () => {
    const [id] = truth[count.reads % truth.length] as Truth[number];
    const item = (await n8n.readOrder(id)) ?? {};
    count.reads += 1;
    await setTimeout(10_000, undefined, { signal }).catch(() => undefined);
    return [wrongOrder(truth, id, item)];
  };
  await Promise.all([goOn(exportOrders), goOn(readOrder)]);
};
