import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Malformed, MockResponse } from '../api/responses.ts';
import { rawHead } from './connection-faults.ts';
import type { HttpSide } from './serve-api.ts';

const reasons: Record<string, Malformed> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'slowRequest',
};

/** Registers a connection with the mock until it closes. */
export const keepConnection = ({ mock, connections }: HttpSide, socket: Socket): void => {
  const connection = mock.connect();
  connections.set(socket, connection);
  // A client that ends the connection of a 429 has read it, perhaps before the connection is closed.
  socket.once('end', connection.close).once('close', connection.close);
};

/** Responds to bytes that Node.js can't parse as a request, and closes the connection. */
export const rejectBytes = ({ mock, late }: HttpSide, error: NodeJS.ErrnoException, socket: Socket): void => {
  const isAnswering = [...late].some((outgoing) => outgoing.socket === socket);
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  end(socket, mock.reject(reasons[error.code ?? ''] ?? 'malformed'));
};

/**
 * Responds to CONNECT and closes the connection. Node.js has removed its own listeners by then, so an error would
 * otherwise end the process.
 */
export const rejectTunnel = ({ mock, secure }: HttpSide, incoming: IncomingMessage, socket: Socket): void => {
  socket.on('error', () => socket.destroy());
  const { url = '', rawHeaders } = incoming;
  end(socket, mock.answer({ method: 'CONNECT', target: url, rawHeaders, secure }).response);
  socket.destroySoon();
};

/** Sends a response and closes the connection. */
const end = (socket: Socket, { status, headers, body }: MockResponse): void => {
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  socket.end(`${rawHead(status, fields)}${body}`);
};
