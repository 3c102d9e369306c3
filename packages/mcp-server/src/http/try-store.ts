import { log } from '../log/client-log.ts';
import type { HttpOptions } from './options.ts';

/** Opens a shared rate-limit store once, so that a problem is reported at the start and not at the first call. */
export const tryStore = async ({ apiKey = 'none', ...settings }: HttpOptions): Promise<void> => {
  if (settings.store.kind === 'memory') return;
  const { openStore } = await import('../client/stores.ts');
  const store = openStore({ ...settings, apiKey }, log);
  const taken = await store?.take();
  if (taken && 'permit' in taken) await store?.giveBack?.(taken.permit);
};
