import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test } from 'vitest';
import { OrderLicense } from './nodes/OrderLicense/OrderLicense.node';
import { prepare } from './nodes/OrderLicense/run-node.fixture';

test('keeps nothing of a finished run in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const service = await listen({ limit: 'off' });
  onTestFinished(() => service.close());
  const runOnce = async (): Promise<WeakRef<object>> => {
    const { context } = prepare(service, 'getMe');
    await new OrderLicense().execute.call(context);
    return new WeakRef(context);
  };
  const finished = await runOnce();
  // `deref` itself keeps the object until the current turn of the event loop ends.
  for (let turn = 0; turn < 10; turn++) {
    await setTimeout(20);
    collectGarbage();
  }
  expect(finished.deref() === undefined).toBe(true);
});
