import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a port on loopback on which nothing listens, outside the range from which systems take ports themselves. */
export const freePort = async (): Promise<number> => {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return freePort();
  }
  await once(probe.close(), 'close');
  return port;
};
