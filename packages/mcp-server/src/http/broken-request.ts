import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The answer to what is not HTTP, too long in its head or too slow, as node:http gives it without a listener.
 * @param isAnswering whether an answer is under way, into which nothing else may be written
 * @returns its status; undefined for a connection that only broke off
 */
export const answerBrokenRequest = (
  { code }: NodeJS.ErrnoException,
  socket: Duplex,
  isAnswering: boolean,
): number | undefined => {
  const status = statuses[code ?? ''] ?? (code?.startsWith('HPE_') ? 400 : undefined);
  if (status === undefined || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const answer = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
  socket.end(isAnswering ? '' : answer, () => socket.destroy());
  return isAnswering ? undefined : status;
};

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
