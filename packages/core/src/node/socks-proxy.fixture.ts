import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '@order-license/testing/loopback';

interface SocksOptions {
  /** The reply to a request for a tunnel; 0 opens it. Default: 0. */
  reply?: number;
  /** The only accepted user name and password, as `user:password`. Default: none is asked for. */
  login?: string;
}

/** Starts a SOCKS5 proxy (RFC 1928, RFC 1929) on loopback, until the test ends. */
export const startSocksProxy = async ({ reply = 0, login }: SocksOptions = {}) => {
  /** The targets of the requested tunnels, in order. */
  const tunnels: string[] = [];
  const serve = async (socket: Socket): Promise<void> => {
    const greeting = await next(socket);
    const method = login === undefined ? 0 : greeting.includes(2, 2) ? 2 : 0xff;
    socket.write(Buffer.from([5, method]));
    if (method === 2) {
      const sent = await next(socket);
      const userEnd = 2 + (sent[1] ?? 0);
      const isRight = `${sent.subarray(2, userEnd)}:${sent.subarray(userEnd + 1)}` === login;
      socket.write(Buffer.from([1, isRight ? 0 : 1]));
    }
    const request = await next(socket);
    const [host, end] =
      request[3] === 1 ? [request.subarray(4, 8).join('.'), 8] : [`${request.subarray(5, -2)}`, request.length - 2];
    const port = request.readUInt16BE(end);
    tunnels.push(`${host}:${port}`);
    const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
    if (reply > 0) return void socket.end(answer);
    const upstream = connect(port, host, () => {
      socket.write(answer);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  };
  const server = createServer((socket) => {
    serve(socket).catch(() => socket.destroy());
  });
  const { port, close } = await listenOnLoopback(server);
  return { address: `127.0.0.1:${port}`, tunnels, close };
};

/** Returns the next message. undici writes each in one piece, and loopback keeps it whole. */
const next = (socket: Socket): Promise<Buffer> => new Promise((resolve) => socket.once('data', resolve));
