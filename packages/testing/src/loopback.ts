import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Starts a server on a free loopback port. `close` ends it with its connections, at the latest when the test ends. */
export const listenOnLoopback = async (server: Server): Promise<{ port: number; close: () => void }> => {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => sockets.add(socket.on('error', () => undefined));
  server.on('connection', track);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, close };
};
