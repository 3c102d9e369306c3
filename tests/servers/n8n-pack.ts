import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createExecution, type ExecutionOptions } from '@order-license/testing/n8n-execution';
import type { ICredentialType, INodeType } from 'n8n-workflow';

const require = createRequire(import.meta.url);
const pack = new URL('../../packages/n8n-nodes/dist/', import.meta.url);
const load = <Thing>(path: string): Thing => {
  const [Made] = Object.values(require(fileURLToPath(new URL(path, pack)))) as [new () => Thing];
  return new Made();
};

/** The two nodes of the built pack. */
export const orderLicense = load<INodeType>('nodes/OrderLicense/OrderLicense.node.js');
export const orderLicenseTrigger = load<INodeType>('nodes/OrderLicenseTrigger/OrderLicenseTrigger.node.js');
const credentialType = load<ICredentialType>('credentials/OrderLicenseApi.credentials.js');

/** A stand-in for n8n around one of them. */
export const prepare = (options: Omit<ExecutionOptions, 'credentialType'>) =>
  createExecution({ credentialType, ...options });
