import { log } from '../log/client-log.ts';
import type { HttpOptions } from './options.ts';

/** Uses a shared rate-limit store once, so that a problem is reported at the start and not at the first call. */
export const tryStore = async ({ apiKey = 'none', ...settings }: HttpOptions): Promise<void> => {
  if (settings.store.kind === 'memory') return;
  const { createStore } = await import('../client/stores.ts');
  const store = createStore({ ...settings, apiKey }, log);
  const taken = await store?.take();
  if (taken && 'permit' in taken) await store?.settle(taken.permit, false);
  await store?.close();
};
