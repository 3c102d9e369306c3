// Generates a bounded load in its own process: node load.ts '<Load as JSON>' prints LoadResult as JSON.
// Uses plain sockets, since an HTTP client needs more CPU than the server under load.
import { connect } from 'node:net';

/**
 * The load to generate: requests for `paths` in turn, over `connections` keep-alive connections, one request at a time
 * on each connection.
 */
export interface Load {
  origin: string;
  paths: string[];
  headers: Record<string, string>;
  connections: number;
  durationMs: number;
}

/** The totals of a run in which every response was a 200 and was read completely. */
export interface LoadResult {
  requests: number;
  bytes: number;
  seconds: number;
}

const { origin, paths, headers, connections, durationMs }: Load = JSON.parse(process.argv[2] ?? '');
const { hostname, port, host } = new URL(origin);
const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`));
const result: LoadResult = { requests: 0, bytes: 0, seconds: 0 };
let next = 0;

/** Returns the Content-Length in a response head. */
const bodyLength = (head: string): number => {
  if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`Received ${head.slice(0, head.indexOf('\r\n'))}`);
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`No Content-Length in ${head}`);
  return Number(length);
};

const work = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let head = '';
    let missing = -1; // number of body bytes still to read; negative while the head is incomplete
    const send = (): void => {
      if (performance.now() - started >= durationMs) socket.destroy();
      else socket.write(requests[next++ % requests.length] as Buffer);
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      let body = chunk.length;
      if (missing < 0) {
        const before = head.length;
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n') + 4;
        if (end < 4) return;
        missing = bodyLength(head.slice(0, end));
        body = chunk.length - (end - before);
        head = '';
      }
      result.bytes += body;
      missing -= body;
      if (missing > 0) return;
      missing = -1;
      result.requests += 1;
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });

const started = performance.now();
await Promise.all(Array.from({ length: connections }, work));
result.seconds = (performance.now() - started) / 1_000;
console.log(JSON.stringify(result));
