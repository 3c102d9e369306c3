import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxFlightMs } from '../base/call-options.ts';
import { createMemoryStore } from './permits.ts';
import { setUp } from './shared-store.fixture.ts';
import type { Permit } from './store.ts';

test('a store closed during a call does not reopen', async () => {
  const { start, opened } = setUp(2);
  const { store, events, take } = start();
  const [settled, unused] = [await take(), await take()];
  await store.close();
  await store.settle(settled);
  await store.settle(unused, false);
  await store.pause(0);
  await expect(store.take()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining('has been closed'),
  });
  expect(opened).toEqual({ times: 1, now: 0 });
  expect(events).toEqual([]);
});

test('a store that is disposed of while it opens stays closed', async () => {
  const { start, opened } = setUp(2);
  const { store, events } = start();
  const taking = store.take();
  await store[Symbol.asyncDispose]();
  await expect(taking).rejects.toMatchObject({ code: 'configuration' });
  expect(opened.now).toBe(0);
  expect(events).toEqual([]);
});

test('rejects a missing API key and invalid options when the store is created', () => {
  const { start } = setUp();
  expect(() => start({ apiKey: ' ' })).toThrow('API key is missing');
  expect(() => start({ baseUrl: 'shop.example' })).toThrow(expect.objectContaining({ code: 'configuration' }));
  expect(() => start({ requests: 0 })).toThrow('`requests` must be a number from 1');
  expect(() => start({ windowMs: Number.NaN })).toThrow('`windowMs` must be a number from 1');
});

test('drops permits and pauses from before the last restart of the machine', async () => {
  const { clock, start } = setUp(1);
  const before = start();
  await before.take();
  await before.store.pause(clock.at + 60_000);
  await before.store.close();
  clock.at = 20_000;
  const after = start();
  await after.take();
  expect(await after.store.take()).toMatchObject({ retryAt: clock.at + 61_000 });
});

test('two stores on one file grant and deny permits like one in memory, separately for each key [S-80 U-37]', async () => {
  const { clock, start } = setUp();
  let keys = 0;
  const by = fc.constantFrom(0 as const, 1 as const);
  const steps = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), reserve: fc.nat(3), by }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat(5), isSent: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(70_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.nat(90_000), by }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(steps, { maxLength: 25 }), async (requests, run) => {
      const memory = createMemoryStore({ requests, holdMs: 61_000 }, () => clock.at);
      const apiKey = `key-${++keys}`;
      const files = [start({ requests, apiKey }).store, start({ requests, apiKey }).store] as const;
      const out: { at: number; by: 0 | 1; permits: [Permit, Permit] }[] = [];
      const settle = async (which: number, isSent = true) => {
        const [exchange] = out.splice(which, 1);
        if (!exchange) return;
        await memory.settle(exchange.permits[0], isSent);
        await files[exchange.by].settle(exchange.permits[1], isSent);
      };
      for (const step of run) {
        if (step.do === 'wait') {
          // no exchange lasts longer than `maxFlightMs`
          while (out[0] && out[0].at + maxFlightMs <= clock.at + step.ms) await settle(0);
          clock.at += step.ms;
        }
        if (step.do === 'pause') for (const store of [memory, files[step.by]]) await store.pause(clock.at + step.ms);
        if (step.do === 'settle') await settle(step.which, step.isSent);
        if (step.do === 'take') {
          const [inMemory, inFile] = [await memory.take(step.reserve), await files[step.by].take(step.reserve)];
          if ('permit' in inMemory && 'permit' in inFile) {
            out.push({ at: clock.at, by: step.by, permits: [inMemory.permit, inFile.permit] });
          }
          expect('retryAt' in inFile && inFile.retryAt).toBe('retryAt' in inMemory && inMemory.retryAt);
        }
      }
      for (const file of files) await file.close();
    }),
    { numRuns: 40 },
  );
});

test('a process calculates the free permits from the last record that it read and its own permits since then', async () => {
  const { clock, start } = setUp(8);
  const [one, other] = [start(), start()];
  expect(one.store.free?.()).toBe(8);
  const permit = await one.take();
  await other.take();
  await other.take();
  expect(one.store.free?.()).toBe(7);
  await one.store.settle(permit);
  expect(one.store.free?.()).toBe(5);
  clock.at += 61_000;
  expect(one.store.free?.()).toBe(6); // two requests are in flight
});

test('without the shared record, only the permits of the reduced limit are free', async () => {
  const { start, breakStore } = setUp(8);
  const { store, take } = start();
  await breakStore();
  await take();
  expect(store.free?.()).toBe(1);
  await take();
  expect(store.free?.()).toBe(0);
});
