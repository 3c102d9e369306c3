import { bundleNames, listen, type MockOptions, settings } from '@order-license/mock-api';
import type { INodeExecutionData } from 'n8n-workflow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orderBy, run } from './run-node.fixture';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }).setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs each operation, as a user would who has set the node to continue on errors. */
const runAll = async (options: MockOptions): Promise<INodeExecutionData[]> => {
  const service = await listen({ limit: 'off', ...options });
  const carryOn = { continueOnFail: true };
  try {
    return [
      ...(await run(service, 'getMe', {}, carryOn)),
      ...(await run(service, 'listOrders', { limit: 60 }, carryOn)),
      ...(await run(service, 'listOrders', { limit: 60, filters: { status: 'bezahlt' }, simplify: false }, carryOn)),
      ...(await run(service, 'listOrders', { limit: 15, output: 'licenseCodes' }, carryOn)),
      ...(await run(service, 'listOrders', { limit: 15, output: 'positions', simplify: false }, carryOn)),
      ...(await run(service, 'getOrder', orderBy('id', 10_001), carryOn)),
    ];
  } finally {
    await service.close();
  }
};

const errorsOf = (items: INodeExecutionData[]): string[] =>
  items.flatMap(({ json }) => {
    const { code } = (json.details ?? {}) as { code?: string };
    return json.error !== undefined && code !== 'not_found' ? [String(json.error)] : [];
  });

const readings = Object.entries(settings).flatMap(([name, setting]) =>
  'values' in setting ? setting.values.map((value) => [name, value] as const) : [],
);

test.each(readings)('every reading of the open points U-01 to U-63: %s=%s', async (name, value) => {
  const items = await runAll({ set: { [name]: value } });
  const errors = errorsOf(items);
  expect(errors.filter((error) => error.includes('unexpectedly'))).toEqual([]);
  // These take away what every answer leans on, so that an error is the right answer.
  const mayRefuse = name === 'httpsOnly' || (name === 'ids' && value !== 'safe' && value !== 'string');
  if (!mayRefuse) expect(errors).toEqual([]);
  expect(items.length).toBeGreaterThan(mayRefuse ? 5 : 80);
});

test.each(bundleNames)('all readings of a %s service at once', async (dialect) => {
  const errors = errorsOf(await runAll({ dialect }));
  expect(errors.filter((error) => error.includes('unexpectedly'))).toEqual([]);
});
