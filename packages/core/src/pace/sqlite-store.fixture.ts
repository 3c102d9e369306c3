import { join } from 'node:path';
import { temporaryFolder } from '@order-license/testing/temporary-folder';
import type { ClientEvent } from '../base/events.ts';
import { createSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';

export const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'canary-key-0c7f1d' };

/** Creates a store with a clock that the test controls. */
export const setUp = (options: Partial<SqliteStoreOptions> = {}) => {
  const clock = { at: 0 };
  const events: ClientEvent[] = [];
  const path = options.path ?? join(temporaryFolder(), 'state', 'rate-limit.sqlite');
  const store = createSqliteStore({
    ...service,
    path,
    now: () => clock.at,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const take = async () => {
    const result = await store.take();
    return 'permit' in result ? result.permit : result.retryAt;
  };
  return { clock, events, path, store, take };
};
