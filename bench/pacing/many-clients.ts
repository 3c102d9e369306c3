import { createClient, type Host } from '@order-license/core/portable';
import { table } from '../table.ts';
import { createVirtualService, windows } from './virtual-service.ts';
import { now, run, sleep } from './virtual-time.ts';

const clients = 1_000;
const callsEach = 3;
const minMs = ((clients * callsEach) / 60 - 1) * 60_000;

/** Measures 1,000 clients of one key in one process. Each makes a few calls, over 49 minutes of virtual time. */
export const benchManyClients = async (): Promise<string> => {
  const body = new TextEncoder().encode('{"status":200,"data":{}}');
  const figures: string[] = [];
  for (const window of windows) {
    const service = createVirtualService(window, 1);
    const send: Host['send'] = async () => ({ status: await service.request(), headers: {}, body });
    const startedAt = now();
    const work = Array.from({ length: clients }, async () => {
      const client = createClient({
        baseUrl: 'https://virtual.example/api/v1',
        apiKey: `shared-${window}`,
        host: { send, sleep, now },
      });
      for (let call = 0; call < callsEach; call++) await client.getMe();
    });
    await run(Promise.all(work));
    if (service.served() !== clients * callsEach) throw new Error(`${service.served()} calls succeeded.`);
    figures.push(`${((now() - startedAt) / minMs).toFixed(3)} / ${service.rejected()}`);
  }
  return table([`${clients} clients, ${callsEach} calls each`, ...windows], [['time / minimum, 429s', ...figures]]);
};

if (import.meta.main) console.log(await benchManyClients());
