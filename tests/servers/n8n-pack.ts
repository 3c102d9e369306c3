import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createExecution, type ExecutionOptions } from '@order-license/testing/n8n-execution';
import type { ICredentialType, INodeType } from 'n8n-workflow';

const require = createRequire(import.meta.url);
const pack = fileURLToPath(new URL('../../packages/n8n-nodes/dist/', import.meta.url));
const load = <Thing>(path: string): Thing => {
  const [Made] = Object.values(require(`${pack}${path}`)) as [new () => Thing];
  return new Made();
};

/** The two nodes of the built pack, with their shared modules. */
export interface Pack {
  orderLicense: INodeType;
  orderLicenseTrigger: INodeType;
}

/** Loads the nodes again, as a new process would: they share no state with nodes loaded earlier. */
export const loadPack = (): Pack => {
  for (const path of Object.keys(require.cache)) if (path.startsWith(pack)) delete require.cache[path];
  return {
    orderLicense: load<INodeType>('nodes/OrderLicense/OrderLicense.node.js'),
    orderLicenseTrigger: load<INodeType>('nodes/OrderLicenseTrigger/OrderLicenseTrigger.node.js'),
  };
};

export const { orderLicense, orderLicenseTrigger } = loadPack();
const credentialType = load<ICredentialType>('credentials/OrderLicenseApi.credentials.js');

/** Prepares a simulated n8n for one of the nodes. */
export const prepare = (options: Omit<ExecutionOptions, 'credentialType'>) =>
  createExecution({ credentialType, ...options });
