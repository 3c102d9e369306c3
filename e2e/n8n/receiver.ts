import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a workflow sent. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** While this is true, the receiver returns 503 and stores nothing. */
  isDown: boolean;
  close(): void;
}

/**
 * Starts an HTTP server that stores the requests it receives, on loopback.
 * @param onRequest called with each stored request
 */
export const startReceiver = async (onRequest?: (request: Received) => void): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (receiver.isDown) {
      response.writeHead(503).end();
      return;
    }
    const { method = '', url: path = '', headers } = request;
    const kept = { method, path, headers, body };
    receiver.received.push(kept);
    onRequest?.(kept);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    isDown: false,
    close: () => server.close(),
  };
  return receiver;
};
