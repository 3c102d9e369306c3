import { finished } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { writeLine } from '../log/stderr.ts';

const maxMessageMiB = 10;

/**
 * Reads one JSON-RPC message per line of stdin, and writes to stdout. The SDK's transport silently skips invalid lines;
 * this one returns an error for them. A byte order mark, which PowerShell sends, is dropped. A message that is too long
 * ends the connection, because its end is unknown, and sets exit code 1.
 */
export const createStdioTransport = (): Transport => {
  const { stdin, stdout } = process;
  let rest = '';
  let isClosed = false;
  const write = (message: object, done?: (error?: Error | null) => void): boolean =>
    stdout.write(`${JSON.stringify(message)}\n`, done);
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    stdin.destroy(); // ends the process, because nothing else keeps it running
    transport.onclose?.();
  };
  const receive = (chunk: string): void => {
    rest += chunk;
    const lines = chunk.includes('\n') ? rest.split('\n') : [rest];
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const text = line.replace(/^\ufeff/, '').trim();
      const read = text === '' ? undefined : readMessage(text);
      if (read && 'error' in read) write({ jsonrpc: '2.0', id: null, ...read });
      else if (read) transport.onmessage?.(read.message);
    }
    if (rest.length <= maxMessageMiB * 1024 * 1024) return;
    const problem = `a message is longer than ${maxMessageMiB} MiB, so the server exits; restart it`;
    writeLine(`${new Date().toISOString()} from stdin: ${problem}.`);
    process.exitCode = 1;
    close();
  };
  const transport: Transport = {
    async start() {
      stdin.setEncoding('utf8').on('data', receive);
      finished(stdin, { writable: false }, close);
      stdout.on('error', close); // the client closed stdout
    },
    send: (message) => new Promise((resolve, reject) => write(message, (error) => (error ? reject(error) : resolve()))),
    close: async () => close(),
  };
  return transport;
};

/** A message, or the error to return for an invalid message, with that message's ID if the ID is valid. */
type Read = { message: JSONRPCMessage } | { id?: string | number; error: { code: number; message: string } };

const readMessage = (line: string): Read => {
  let json: unknown;
  try {
    json = JSON.parse(line);
    return { message: parseJSONRPCMessage(json) };
  } catch {
    if (json === undefined) {
      return { error: { code: -32_700, message: 'The line is not JSON; send one message per line.' } };
    }
  }
  if (Array.isArray(json)) return invalid('Batches are not supported; send each message on its own line.');
  const { id, method } = (json ?? {}) as Record<string, unknown>;
  if (typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))) {
    return { id, ...invalid('The line is not a JSON-RPC 2.0 message.') };
  }
  if (id === undefined || method === undefined) return invalid('The line is not a JSON-RPC 2.0 message.');
  return invalid('The ID of a request must be a string or a whole number.');
};

const invalid = (message: string) => ({ error: { code: -32_600, message } });
