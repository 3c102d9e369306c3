import { finished, type Readable, type Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { giveUpUnreadLines, writeLine } from '../log/stderr.ts';
import { asOneLine } from './one-line.ts';
import { type ReadMessage, readMessage } from './read-message.ts';

const maxMessageMiB = 10;
/** Maximum time to respond to the received requests after stdin has ended, ms. */
const maxEndMs = 10_000;

/**
 * Reads one JSON-RPC message per line of stdin, and writes to stdout. The SDK's transport silently skips invalid lines;
 * this one returns an error for them. A byte order mark, which PowerShell sends, is dropped. A message that is too long
 * ends the connection, because its end is unknown, and sets exit code 1. When stdin ends, as in `printf … |
 * order-license-mcp`, the server responds to the requests that it has received before the connection ends.
 */
export const createStdioTransport = (stdin: Readable = process.stdin, stdout: Writable = process.stdout): Transport => {
  /** The IDs of the requests without a response. An ID that a client uses twice is listed twice. */
  const pending: RequestId[] = [];
  let rest = '';
  let hasEnded = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const write = (message: object, done?: (error?: Error | null) => void): boolean =>
    stdout.write(`${asOneLine(JSON.stringify(message))}\n`, (error) => {
      done?.(error);
      closeIfDone();
    });
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    stdin.destroy(); // ends the process, because nothing else keeps it running
    giveUpUnreadLines();
    transport.onclose?.();
  };
  const receive = (chunk: string): void => {
    rest += chunk;
    const lines = chunk.includes('\n') ? rest.split('\n') : [rest];
    rest = lines.pop() ?? '';
    for (const line of lines) deliver(line);
    if (rest.length <= maxMessageMiB * 1024 * 1024) return;
    const problem = `a message is longer than ${maxMessageMiB} MiB, so the server exits; restart it`;
    writeLine(`${new Date().toISOString()} from stdin: ${problem}.`);
    process.exitCode = 1;
    close();
  };
  const deliver = (line: string): void => {
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '') return;
    const read = readLine(text);
    if ('error' in read) {
      write({ jsonrpc: '2.0', id: null, ...read });
      return;
    }
    const { message } = read;
    if (isJSONRPCRequest(message)) pending.push(message.id);
    // The SDK doesn't respond to a request that the client has cancelled.
    else if (isCancellation(message)) settle(message.params?.requestId);
    transport.onmessage?.(message);
  };
  const settle = (id: RequestId | undefined): void => {
    const index = pending.findIndex((one) => one === id);
    if (index >= 0) pending.splice(index, 1);
  };
  const closeIfDone = (): void => {
    if (hasEnded && pending.length === 0 && stdout.writableLength === 0) close();
  };
  const end = (): void => {
    if (isClosed) return;
    hasEnded = true;
    timer = setTimeout(giveUp, maxEndMs);
    stdout.write(''); // fails if the client is gone and stdout is a socket, as Node's `spawn` makes it
    deliver(rest); // the last line may have no line break
    closeIfDone();
  };
  const giveUp = (): void => {
    for (const id of pending) write({ jsonrpc: '2.0', id, error: unanswered });
    close();
    // The client doesn't read stdout. The unwritten responses would keep the process running.
    if (stdout.writableLength > 0) process.exit();
  };
  const transport: Transport = {
    async start() {
      stdin.setEncoding('utf8').on('data', receive);
      finished(stdin, { writable: false }, end);
      stdout.on('error', close); // the client closed stdout
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!('method' in message)) settle(message.id);
        write(message, (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => close(),
  };
  return transport;
};

const unanswered = {
  code: -32_000,
  message: `stdin ended, and the server did not respond to this request within ${maxEndMs / 1000} s. Keep stdin open until the response arrives.`,
};

const isCancellation = (
  message: JSONRPCMessage,
): message is JSONRPCNotification & { params?: { requestId?: RequestId } } =>
  'method' in message && message.method === 'notifications/cancelled';

const readLine = (line: string): ReadMessage => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { error: { code: -32_700, message: 'The line is not JSON; send one message per line.' } };
  }
  return readMessage(json);
};
