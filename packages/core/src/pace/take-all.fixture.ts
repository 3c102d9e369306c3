import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { addPermit, createRecord, type PermitRecord, waitFor } from './permits.ts';
import type { SharedRecord } from './shared-record.ts';
import { openSqliteRecord } from './sqlite-store.ts';

// One of many processes: opens the file as soon as possible, takes all permits it can and reports how many.
const [path = '', requests = ''] = process.argv.slice(2);
const limit = { requests: Number(requests), holdMs: 61_000 };

const open = async (): Promise<SharedRecord> => {
  for (;;) {
    try {
      return await openSqliteRecord(path, 'a key');
    } catch {
      await setTimeout(1);
    }
  }
};

process.send?.(0);
await once(process, 'message');
let taken = 0;
for (let record = await open(), isFull = false; !isFull; ) {
  try {
    let isGranted = false;
    await record.update((text, at) => {
      const found: PermitRecord = JSON.parse(text) ?? createRecord();
      isGranted = waitFor(found, at, limit) === 0;
      if (isGranted) addPermit(found, `${process.pid}.${taken}`, at, limit);
      return { text: JSON.stringify(found), keptMs: 200_000 };
    });
    isFull = !isGranted;
    if (!isFull) taken += 1;
    await setTimeout(1);
  } catch {
    record.close();
    record = await open();
  }
}
process.send?.(taken);
process.disconnect?.();
