// The mock service in its own process: it reports its address, counts, and ends with its parent.
import { listen } from '@order-license/mock-api';

export interface ServiceCount {
  requests: number;
  refused: number;
  violations: number;
}

const service = await listen({ orders: 300, journalSize: 100 });
const count: ServiceCount = { requests: 0, refused: 0, violations: 0 };
service.journal.subscribe(({ status, violations }) => {
  count.requests += 1;
  if (status === 429) count.refused += 1;
  if (violations.length > 0) count.violations += 1;
});
process.on('message', (message) => {
  if (message === 'count') process.send?.(count);
});
process.on('disconnect', () => void service.close());
// Ctrl-C is for the parent, which ends this process itself.
process.on('SIGINT', () => undefined);
process.send?.({ baseUrl: service.baseUrl, apiKey: service.keys.business });
