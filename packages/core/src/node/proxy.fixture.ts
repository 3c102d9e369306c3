import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import { listenOnLoopback } from '@order-license/testing/loopback';

/**
 * Starts a proxy on loopback that opens tunnels, until the test ends.
 * @param reject the status with which to reject tunnels instead
 * @param proxy a server of another kind
 */
export const startProxy = async (reject?: number, proxy: Server = createServer()) => {
  /** The targets of the requested tunnels, in order. */
  const tunnels: string[] = [];
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    if (reject) return socket.end(`HTTP/1.1 ${reject} Refused\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => undefined);
    socket.on('close', () => upstream.destroy());
  });
  const { port, close } = await listenOnLoopback(proxy);
  return { url: `http://127.0.0.1:${port}`, tunnels, close };
};
