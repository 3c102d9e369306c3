import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Answers a request that isn't HTTP, is too slow or has too long a head, as node:http does without a listener.
 * @param isAnswering whether an answer is being written, which must not be interrupted
 * @returns its status; undefined if the connection only broke
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
