import { createServer, type RequestListener } from 'node:http';
import { listenOnLoopback } from '@order-license/testing/loopback';

/** Starts an HTTP server on loopback, for responses that the mock cannot send. @returns its origin */
export const startPlainServer = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${(await listenOnLoopback(createServer(listener))).port}`;
