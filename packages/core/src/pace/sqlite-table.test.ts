import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from './memory-store.ts';
import { createSharedStore } from './shared-store.ts';
import { openSqliteTable } from './sqlite-table.ts';
import { maxFlightMs, type Permit } from './store.ts';

const holdMs = 61_000;

/** Stores on one file, as in many processes, with a clock that the test controls. */
const setUp = (startAt = 1_000_000) => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const machine = { at: startAt };
  const open = async (key = 'a key') => {
    const table = await openSqliteTable({ path, key, holdMs, clock: () => machine.at });
    onTestFinished(() => table.close());
    return table;
  };
  return { path, machine, open };
};

const settled = (id: string) => ({ permits: new Map([[id, holdMs]]), pausedMs: 0 });

test('a permit taken by one process counts for all until a window and guard after it is settled [U-37]', async () => {
  const { machine, open } = setUp();
  const [one, other] = [await open(), await open()];
  expect(await one.take('1', 1)).toBe('granted');
  expect(await other.take('2', 1)).toEqual({ returnsInMs: [holdMs], pausedMs: expect.any(Number) });
  machine.at += 5_000;
  await one.merge(settled('1'));
  machine.at += holdMs - 1;
  expect(await other.take('3', 1)).toMatchObject({ returnsInMs: [1] });
  machine.at += 1;
  expect(await other.take('4', 1)).toBe('granted');
});

test('counts each key separately [S-80]', async () => {
  const { open } = setUp();
  expect(await (await open('a key')).take('1', 1)).toBe('granted');
  expect(await (await open('another')).take('2', 1)).toBe('granted');
});

test('a pause recorded by one process applies to all, and can only be extended [S-84]', async () => {
  const { machine, open } = setUp();
  const [one, other] = [await open(), await open()];
  await one.merge({ permits: new Map(), pausedMs: 60_000 });
  await other.merge({ permits: new Map(), pausedMs: 10_000 });
  expect(await other.take('1', 60)).toEqual({ returnsInMs: [], pausedMs: 60_000 });
  machine.at += 60_000;
  expect(await other.take('2', 60)).toBe('granted');
});

test('the permits of a crashed process expire', async () => {
  const { machine, open } = setUp();
  const [victim, other] = [await open(), await open()];
  await victim.take('1', 1);
  machine.at += maxFlightMs + holdMs - 1;
  expect(await other.take('2', 1)).toMatchObject({ returnsInMs: [1] });
  machine.at += 1;
  expect(await other.take('3', 1)).toBe('granted');
});

test('recording the same update twice changes nothing', async () => {
  const { machine, open } = setUp();
  const table = await open();
  await table.take('1', 2);
  await table.merge(settled('1'));
  machine.at += 30_000;
  await table.merge(settled('1'));
  await table.merge({ permits: new Map([['1', maxFlightMs + holdMs]]), pausedMs: 0 });
  expect(await table.take('2', 1)).toMatchObject({ returnsInMs: [holdMs - 30_000] });
});

test('drops permits and pauses from before the last restart of the machine', async () => {
  const { machine, open } = setUp(9_000_000);
  const before = await open();
  await before.take('1', 1);
  await before.merge({ permits: new Map(), pausedMs: 60_000 });
  machine.at = 20_000;
  const after = await open();
  expect(await after.take('2', 1)).toBe('granted');
  expect(await after.take('3', 1)).toMatchObject({ returnsInMs: [holdMs] });
});

test('the file store makes the memory store’s decisions for any sequence of events [U-37]', async () => {
  const { path, machine } = setUp();
  let keys = 0;
  const steps = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), reserve: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat(5) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(70_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.nat(90_000) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(steps, { maxLength: 25 }), async (requests, run) => {
      const options = { requests, windowMs: 60_000, guardMs: 1_000, now: () => machine.at };
      const memory = createMemoryStore(options);
      const file = createSharedStore(
        { ...options, baseUrl: 'https://shop.example/api/v1', apiKey: `key-${++keys}` },
        {
          kind: 'sqlite',
          open: (key) => openSqliteTable({ path, key, holdMs, clock: () => machine.at }),
          explain: String,
        },
      );
      const out: { at: number; permits: [Permit, Permit] }[] = [];
      const settle = async (which: number) => {
        const [exchange] = out.splice(which, 1);
        if (exchange) await Promise.all([memory.settle(exchange.permits[0]), file.settle(exchange.permits[1])]);
      };
      for (const step of run) {
        if (step.do === 'wait') {
          // no exchange lasts longer than its maximum
          while (out[0] && out[0].at + maxFlightMs <= machine.at + step.ms) await settle(0);
          machine.at += step.ms;
        }
        if (step.do === 'pause') for (const store of [memory, file]) await store.pause(machine.at + step.ms);
        if (step.do === 'settle') await settle(step.which);
        if (step.do === 'take') {
          const [inMemory, inFile] = [await memory.take(step.reserve), await file.take(step.reserve)];
          if ('permit' in inMemory && 'permit' in inFile) {
            out.push({ at: machine.at, permits: [inMemory.permit, inFile.permit] });
          }
          expect('retryAt' in inFile && inFile.retryAt).toBe('retryAt' in inMemory && inMemory.retryAt);
        }
      }
      await file.close();
    }),
    { numRuns: 40 },
  );
});
