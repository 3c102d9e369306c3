import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/**
 * Starts a proxy on loopback that opens tunnels.
 * @param reject the status with which to reject tunnels instead
 */
export const startProxy = async (reject?: number) => {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer();
  proxy.on('connection', (socket) => sockets.add(socket));
  proxy.on('connect', (request, socket) => {
    socket.on('error', () => undefined);
    tunnels.push(request.url ?? '');
    if (reject) return socket.end(`HTTP/1.1 ${reject} Refused\r\ncontent-length: 0\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    /** The targets of the requested tunnels, in order. */
    tunnels,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
};
