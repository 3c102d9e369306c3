import { everythingOf } from '@order-license/testing/canary';
import type { Execution } from '@order-license/testing/n8n-execution';
import type { IDataObject, INodeType, IPollFunctions } from 'n8n-workflow';
import { newBaseUrl } from '../fuzz/shop.ts';
import { inFakeTime, passMinute } from '../servers/fake-time.ts';
import { orderLicense, orderLicenseTrigger, prepare } from '../servers/n8n-pack.ts';
import { answer, type Planted } from './planted-service.ts';

const outputs = ['orders', 'lineItems', 'licenseCodes'];
const order = { __rl: true, mode: 'id', value: '7' };
const parametersOfAll: IDataObject[] = [
  { resource: 'account', operation: 'getMe' },
  { resource: 'order', operation: 'listOrders', limit: 10 },
  ...outputs.flatMap((output) => [
    { resource: 'order', operation: 'getOrder', order, output },
    { resource: 'order', operation: 'listOrders', limit: 10, output, includeDetails: true },
  ]),
];

/**
 * Runs a node, and returns what n8n receives and saves with the execution: items or an error, hints, logs and static
 * data.
 */
const savedOf = async (
  execution: Execution,
  run: () => Promise<unknown>,
  onError: (error: unknown) => void = () => undefined,
): Promise<string> => {
  passMinute();
  const shown = (error: unknown) => {
    onError(error);
    return everythingOf(error);
  };
  const output = await inFakeTime(() => run().catch(shown), true);
  const { hints, logs, staticData } = execution;
  return JSON.stringify([output, hints, logs, staticData]);
};

const prepareWith = (node: INodeType, planted: () => Planted, parameters: IDataObject, more: object = {}): Execution =>
  prepare({
    node,
    credential: { baseUrl: newBaseUrl(), apiKey: 'the-api-key' },
    parameters,
    async send({ url }) {
      const { status, body } = answer(planted(), url);
      const bytes = Uint8Array.from(new TextEncoder().encode(body)).buffer;
      return { statusCode: status, headers: { 'content-type': 'application/json' }, body: bytes };
    },
    ...more,
  });

/** Runs every operation of the node with every output. @returns all that n8n saves */
export const runNode = async (planted: Planted, licenseKeys: string): Promise<string> => {
  const shown: string[] = [];
  for (const parameters of parametersOfAll) {
    for (const simplify of [true, false]) {
      let hasFailed = false;
      const run = async (continueOnFail: boolean): Promise<void> => {
        const all = { ...parameters, simplify, licenseKeys };
        const execution = prepareWith(orderLicense, () => planted, all, { continueOnFail });
        const work = async () => orderLicense.execute?.call(execution.context);
        shown.push(await savedOf(execution, work, () => (hasFailed = true)));
      };
      await run(false);
      if (hasFailed) await run(true);
    }
  }
  return shown.join('\n');
};

/** Runs the trigger while order 8 exists and order 7 arrives with its codes. @returns all that n8n saves */
export const runTrigger = async (planted: Planted, licenseKeys: string): Promise<string> => {
  const shown: string[] = [];
  for (const includeDetails of [true, false]) {
    const { list } = planted;
    let now: Planted = { ...planted, list: { ...list, orders: list.orders.slice(1) } };
    const staticData: IDataObject = {};
    const parameters = {
      events: ['newOrder', 'paid', 'completed', 'statusChanged', 'licenseCodeAvailable'],
      includeDetails,
      simplify: includeDetails,
      licenseKeys,
    };
    const execution = prepareWith(orderLicenseTrigger, () => now, parameters, { staticData });
    const context = execution.context as unknown as IPollFunctions;
    const test = prepareWith(orderLicenseTrigger, () => planted, parameters, { mode: 'manual' });
    const testContext = test.context as unknown as IPollFunctions;
    shown.push(await savedOf(test, async () => orderLicenseTrigger.poll?.call(testContext)));
    for (let polls = 0; polls < 4; polls++) {
      shown.push(await savedOf(execution, async () => orderLicenseTrigger.poll?.call(context)));
      if (polls === 1) now = planted;
    }
  }
  return shown.join('\n');
};
