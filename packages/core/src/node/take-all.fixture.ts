import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { LedgerStore } from './ledger-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

// One process of many: opens the file as soon as it can be used, takes all permits it gets, and reports how many.
const [path = '', requests = ''] = process.argv.slice(2);

const open = async (): Promise<LedgerStore> => {
  for (;;) {
    try {
      return await openSqliteStore({ path, key: 'a key', holdMs: 61_000 });
    } catch {
      await setTimeout(1);
    }
  }
};

process.send?.(0);
await once(process, 'message');
let taken = 0;
for (let store = await open(), isFull = false; !isFull; ) {
  try {
    isFull = (await store.take(`${process.pid}.${taken}`, Number(requests))) !== 'granted';
    if (!isFull) taken += 1;
    await setTimeout(1);
  } catch {
    store.close();
    store = await open();
  }
}
process.send?.(taken);
process.disconnect?.();
