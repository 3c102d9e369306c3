import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { listen } from '@order-license/mock-api';
import { listenOnLoopback } from '@order-license/testing/loopback';
import { onTestFinished } from 'vitest';

/** Starts a mock API, until the test ends. `service` is how a client reaches it. */
export const startMock = async (options: Parameters<typeof listen>[0] = {}) => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  return { mock, service: { baseUrl: mock.baseUrl, apiKey: mock.keys.business } };
};

/** Starts a server until the test ends, and returns its base URL. Its responses can come from a function. */
export const serve = async (server: Server | RequestListener): Promise<string> => {
  const { port } = await listenOnLoopback(typeof server === 'function' ? createServer(server) : server);
  return `http://127.0.0.1:${port}/api/v1`;
};
