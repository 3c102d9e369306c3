import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { MockResponse } from '../api/responses.ts';
import type { Outcome } from '../faults/fault.ts';

/**
 * Sends a response and breaks the connection according to the fault.
 * @param sleep waits on the clock of the mock, at most until the client gives up or the mock is reset
 */
export const breakWire = async (
  { wire, pauseMs = () => 0 }: Outcome,
  outgoing: ServerResponse,
  socket: Socket,
  { status, headers, body }: MockResponse,
  sleep: (ms: number) => Promise<void>,
): Promise<void> => {
  const bytes = Buffer.from(body);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  switch (wire?.kind) {
    case 'resetBefore':
      reset(socket);
      break;
    case 'resetAfter':
      outgoing.writeHead(status, headers);
      // A reset discards unsent data, so the response has to be sent first.
      outgoing.write(half, () => setImmediate(reset, socket));
      break;
    case 'emptyReply':
      socket.end();
      break;
    case 'truncate':
      outgoing.writeHead(status, headers);
      outgoing.write(half, () => socket.end());
      break;
    case 'badChunk': {
      const { 'content-length': _, ...rest } = headers;
      socket.end(`${rawHead(status, { ...rest, 'transfer-encoding': 'chunked' })}5\r\n{"sta\r\nno chunk\r\n`);
      break;
    }
    case 'garbage':
      socket.end('\u0016\u0003\u0001 this is not HTTP\r\n\r\n');
      break;
    case 'drip': {
      outgoing.writeHead(status, headers);
      const size = Math.ceil(bytes.length / 20);
      for (let piece = 0; piece * size < bytes.length && !outgoing.closed; piece++) {
        await sleep(pauseMs(piece));
        outgoing.write(bytes.subarray(piece * size, (piece + 1) * size));
      }
      outgoing.end();
      break;
    }
    case 'hang':
      await sleep(Number.POSITIVE_INFINITY);
      outgoing.destroy();
  }
};

/** Returns the status line and the headers of a response, with the empty line after them. */
const rawHead = (status: number, headers: MockResponse['headers']): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
};

/** Closes a connection with RST. TLS doesn't allow that, so a TLS connection is closed without a TLS close. */
export const reset = (socket: Socket): void => {
  try {
    socket.resetAndDestroy();
  } catch {
    socket.destroy();
  }
};
