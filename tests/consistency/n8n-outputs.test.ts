import { listen, type MockOptions, profileNames } from '@order-license/mock-api';
import { settingCases } from '@order-license/testing/setting-cases';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';
import { inFakeTime } from '../servers/fake-time.ts';
import { orderLicense, prepare } from '../servers/n8n-pack.ts';
import { rejections } from './rejections.ts';

/** Runs each operation, with the node set to continue on errors. */
const runAll = async (options: MockOptions): Promise<INodeExecutionData[]> => {
  const service = await listen({ ...options, set: { limit: 'off', ...options.set } });
  const credential = { baseUrl: service.baseUrl, apiKey: service.keys.business };
  const run = async (operation: string, parameters: IDataObject = {}): Promise<INodeExecutionData[]> => {
    const resource = operation === 'getMe' ? 'account' : 'order';
    const { context } = prepare({
      node: orderLicense,
      credential,
      parameters: { resource, operation, ...parameters },
      continueOnFail: true,
    });
    const outputs = (await orderLicense.execute?.call(context)) ?? [];
    return (outputs as INodeExecutionData[][]).flat();
  };
  const runOperations = async (): Promise<INodeExecutionData[]> => [
    ...(await run('getMe')),
    ...(await run('listOrders', { limit: 60 })),
    ...(await run('listOrders', { limit: 60, filters: { status: 'bezahlt' }, simplify: false })),
    ...(await run('listOrders', { limit: 15, output: 'licenseCodes' })),
    ...(await run('listOrders', { limit: 15, output: 'lineItems', simplify: false })),
    ...(await run('getOrder', { order: { __rl: true, mode: 'id', value: 10_001 } })),
  ];
  try {
    return await inFakeTime(runOperations);
  } finally {
    await service.close();
  }
};

const errorsOf = (items: INodeExecutionData[]): string[] =>
  items.flatMap(({ json }) => {
    const { code } = (json.details ?? {}) as { code?: string };
    return json.error !== undefined && code !== 'not_found' ? [String(json.error)] : [];
  });

test.each(settingCases)('every output of the n8n node is correct under $label [$points]', async ({ label, set }) => {
  const items = await runAll({ set });
  const errors = errorsOf(items);
  expect(errors.filter((error) => error.includes('unexpectedly'))).toEqual([]);
  const mayReject = label in rejections;
  if (!mayReject) expect(errors).toEqual([]);
  expect(items.length).toBeGreaterThan(mayReject ? 5 : 80);
});

test.each(profileNames)(
  'every output of the n8n node is correct for an API that is %s [U-01 to U-63]',
  async (profile) => {
    const errors = errorsOf(await runAll({ profile }));
    expect(errors.filter((error) => error.includes('unexpectedly'))).toEqual([]);
  },
);
