import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '@order-license/testing/loopback';

/** Starts a server whose responses come from `listener`, until the test ends, and returns its base URL. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const { port } = await listenOnLoopback(createServer(listener));
  return `http://127.0.0.1:${port}/api/v1`;
};
