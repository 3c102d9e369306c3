import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { PermitTable } from './permit-table.ts';
import { openSqliteTable } from './sqlite-table.ts';

// One of many processes: opens the file as soon as possible, takes all permits it can and reports how many.
const [path = '', requests = ''] = process.argv.slice(2);

const open = async (): Promise<PermitTable> => {
  for (;;) {
    try {
      return await openSqliteTable({ path, key: 'a key', holdMs: 61_000 });
    } catch {
      await setTimeout(1);
    }
  }
};

process.send?.(0);
await once(process, 'message');
let taken = 0;
for (let table = await open(), isFull = false; !isFull; ) {
  try {
    isFull = (await table.take(`${process.pid}.${taken}`, Number(requests))) !== 'granted';
    if (!isFull) taken += 1;
    await setTimeout(1);
  } catch {
    table.close();
    table = await open();
  }
}
process.send?.(taken);
process.disconnect?.();
