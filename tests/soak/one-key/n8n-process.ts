import type { ExecutionOptions } from '@order-license/testing/n8n-execution';
import type {
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  IPollFunctions,
} from 'n8n-workflow';
import { loadPack, prepare } from '../../servers/n8n-pack.ts';
import type { Network } from './network.ts';

/** One process of n8n, whose nodes share one count of requests. After it is killed, it neither sends nor receives. */
export interface N8nProcess {
  isAlive(): boolean;
  kill(): void;
  /** Resolves when the process is killed. */
  readonly killed: Promise<void>;
  poll(options: PollOptions): Promise<INodeExecutionData[][] | null>;
  /** Runs the node Order License once. */
  execute(parameters: IDataObject): Promise<INodeExecutionData[]>;
  /** Sends the editor's request for *From List*. */
  search(filter?: string, token?: string): Promise<{ results: unknown[]; paginationToken?: unknown }>;
}

export interface PollOptions {
  workflowId: string;
  parameters: IDataObject;
  /** The poll changes this object in place. */
  staticData: IDataObject;
  /** The time that n8n allows for the poll, ms: the result of `getPollBudgetMs`. */
  budgetMs: number;
  /** Called for each request of this poll. */
  onRequest(): void;
}

export const startN8nProcess = (network: Network, requestsPerMinute = 60): N8nProcess => {
  const credential = { baseUrl: 'https://shop.example/api/v1', apiKey: 'simulated-key', requestsPerMinute };
  const { orderLicense, orderLicenseTrigger } = loadPack();
  let alive = true;
  let onKill = (): void => undefined;
  const killed = new Promise<void>((resolve) => {
    onKill = resolve;
  });
  const never = new Promise<never>(() => undefined);
  const send: ExecutionOptions['send'] = async (request) => {
    if (!alive) return never;
    const response = await network.send(request);
    return alive ? response : never;
  };
  const unlessKilled = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      const result = await work;
      return alive ? result : never;
    } catch (error) {
      if (!alive) return never;
      throw error;
    }
  };

  return {
    isAlive: () => alive,
    kill() {
      alive = false;
      onKill();
    },
    killed,
    poll({ workflowId, parameters, staticData, budgetMs, onRequest }) {
      const { context } = prepare({
        node: orderLicenseTrigger,
        credential,
        parameters,
        staticData,
        workflowId,
        pollBudgetMs: budgetMs,
        send: (request) => {
          onRequest();
          return (send as NonNullable<typeof send>)(request);
        },
      });
      const polling = orderLicenseTrigger.poll?.call(context as unknown as IPollFunctions);
      return unlessKilled(polling as Promise<INodeExecutionData[][] | null>);
    },
    async execute(parameters) {
      const { context } = prepare({ node: orderLicense, credential, parameters, send });
      const output = orderLicense.execute?.call(context as IExecuteFunctions) as Promise<INodeExecutionData[][]>;
      return (await unlessKilled(output)).flat();
    },
    search(filter, token) {
      const { context } = prepare({ node: orderLicense, credential, send });
      const [searchOrders] = Object.values(orderLicense.methods?.listSearch ?? {});
      if (!searchOrders) throw new Error('The node has no list to search.');
      return unlessKilled(searchOrders.call(context as unknown as ILoadOptionsFunctions, filter, token));
    },
  };
};
