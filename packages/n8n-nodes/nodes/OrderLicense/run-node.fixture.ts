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
