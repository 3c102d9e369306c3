import type { Host } from '../base/host.ts';

const refusedAtOnce = 100;

/** Await this after each refusal: it yields to the rest of the program while thousands are refused. */
export const createPause = (host: Pick<Host, 'sleep'>): (() => Promise<void>) => {
  let refused = 0;
  return async () => {
    refused += 1;
    if (refused % refusedAtOnce === 0) await host.sleep(0).catch(() => undefined);
  };
};
