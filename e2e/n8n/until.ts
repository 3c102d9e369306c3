import { setTimeout } from 'node:timers/promises';

/** Waits for something that must happen. @throws when it does not within a minute */
export const until = async (what: string, happened: () => boolean | Promise<boolean>): Promise<void> => {
  for (const giveUpAt = performance.now() + 60_000; !(await happened()); await setTimeout(50)) {
    if (performance.now() > giveUpAt) throw new Error(`did not happen in a minute: ${what}`);
  }
};
