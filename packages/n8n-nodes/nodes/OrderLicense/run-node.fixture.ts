import type { MockServer } from '@order-license/mock-api';
import { createExecution, type Execution, type ExecutionOptions } from '@order-license/testing/n8n-execution';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { OrderLicenseApi } from '../../credentials/OrderLicenseApi.credentials';
import { OrderLicense } from './OrderLicense.node';

export type RunOptions = Partial<Omit<ExecutionOptions, 'node' | 'credentialType' | 'parameters'>>;

const inputs = {
  getMe: { resource: 'account' },
  getOrder: { resource: 'order' },
  listOrders: { resource: 'order' },
};

export const prepare = (
  service: MockServer,
  operation: keyof typeof inputs,
  parameters: IDataObject = {},
  options: RunOptions = {},
): Execution =>
  createExecution({
    node: new OrderLicense(),
    credentialType: new OrderLicenseApi(),
    credential: { baseUrl: service.baseUrl, apiKey: service.keys.business },
    ...options,
    parameters: { ...inputs[operation], operation, ...parameters },
  });

/** Runs the node once, against a mock, as the business account. */
export const run = async (...of: Parameters<typeof prepare>): Promise<INodeExecutionData[]> => {
  const [items = []] = await new OrderLicense().execute.call(prepare(...of).context);
  return items;
};

/** Responds to every request with the `data` for its address. */
export const answering = (dataOf: (url: string) => object): RunOptions => ({
  send: ({ url }) => {
    const body = new TextEncoder().encode(JSON.stringify({ status: 200, data: dataOf(url) }));
    return { statusCode: 200, headers: {}, body: body.buffer as ArrayBuffer };
  },
});

/** The response to a list of these orders, which fit on its first page. */
export const pageOf = (...orders: object[]) => ({
  orders,
  pagination: { page: 1, per_page: 50, total: orders.length, pages: 1 },
});

/** The parameter 'Order' as the editor stores it. */
export const orderBy = (mode: 'id' | 'list' | 'number', value: unknown): IDataObject => ({
  order: { __rl: true, mode, value } as IDataObject,
});

/** Returns the error that `promise` rejects with. */
export const thrownBy = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await promise;
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error('nothing was thrown');
};
