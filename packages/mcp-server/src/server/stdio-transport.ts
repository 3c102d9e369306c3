import { finished } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { writeLine } from '../log/stderr.ts';
import { type ReadMessage, readMessage } from './read-message.ts';

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
      const read = text === '' ? undefined : readLine(text);
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

const readLine = (line: string): ReadMessage => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { error: { code: -32_700, message: 'The line is not JSON; send one message per line.' } };
  }
  return readMessage(json);
};
