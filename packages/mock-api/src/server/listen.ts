import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { basePath } from '../api/request.ts';
import { controlPath } from '../control/control.ts';
import type { Journal } from '../journal/journal.ts';
import { createInnerMock, type InnerMock, type Mock } from '../mock.ts';
import { readText, readValues } from '../orders/read-file.ts';
import { allowedHosts, hostInUrl } from './hosts.ts';
import { type ListenOptions, readListenOptions } from './listen-options.ts';
import { type HttpSide, originForm, sayDefect, serveApi } from './serve-api.ts';
import { serveControl } from './serve-control.ts';

const controlPattern = /^\/__mock(?=[/?]|$)/;
const healthPattern = /^\/__mock\/health\/?(?=\?|$)/;

/** A mock of the API on a port. */
export interface MockServer extends Mock {
  /** URL of the API, with the port; ends in `/api/v1` (§1). */
  baseUrl: string;
  /** URL of the control API; ends in `/__mock`; absent with `control: false`. */
  controlUrl?: string;
  /** Stops the server, closes all connections, and ends each `journal.waitFor` with an error. */
  close(): Promise<void>;
  /** Calls `close()`: `await using mock = await listen()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a mock of the API, by default on a free port of the loopback address.
 * @returns the mock and its URLs; it keeps the process running until `close`
 * @throws Error that names an invalid option or file, or says that Node.js is too old, the port is in use or the
 *   address isn't local
 */
export const listen = async (options: ListenOptions = {}): Promise<MockServer> => {
  const { port = 0, host = '127.0.0.1', allowHosts, control = true, ...read } = readListenOptions(options);
  const { tlsCert, tlsKey, ordersFile, ...own } = read;
  const certificate =
    tlsCert !== undefined && tlsKey !== undefined ? { cert: readText(tlsCert), key: readText(tlsKey) } : undefined;
  const secure = certificate !== undefined;
  const made = createInnerMock(own, {
    tls: secure,
    ...(ordersFile !== undefined && { ownOrders: readValues(ordersFile) }),
    faultHeader: control,
  });
  const closed = new AbortController();
  const waitFor: Journal['waitFor'] = (filter, { signal, ...options } = {}) =>
    made.journal.waitFor(filter, { ...options, signal: AbortSignal.any([closed.signal, ...(signal ? [signal] : [])]) });
  const mock: InnerMock = {
    ...made,
    journal: { ...made.journal, waitFor },
    reset() {
      made.reset();
      side.resets++;
      side.doomed = new WeakSet();
    },
  };
  const side: HttpSide = {
    mock,
    secure,
    allowedHosts: allowedHosts(host, allowHosts),
    doomed: new WeakSet(),
    resets: 0,
  };
  const path = control ? controlPattern : healthPattern;
  const respond: RequestListener = (incoming, outgoing) => {
    incoming.url = originForm(incoming.url ?? '/');
    const serve = path.test(incoming.url) ? serveControl : serveApi;
    serve(side, incoming, outgoing).catch((error: unknown) => sayDefect(outgoing, error));
  };
  const settings = { maxHeaderSize: 65_536, keepAliveTimeoutBuffer: 0 };
  const server = certificate
    ? createHttps({ ...settings, ...certificate }, respond)
    : http.createServer(settings, respond);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });

  const origin = `http${secure ? 's' : ''}://${hostInUrl(host)}:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        closed.abort(new Error('the mock was closed before the requests were recorded'));
        resolve();
      });
      server.closeAllConnections();
    });
  return {
    ...mock,
    baseUrl: origin + basePath,
    ...(control ? { controlUrl: origin + controlPath } : {}),
    close,
    [Symbol.asyncDispose]: close,
  };
};

/** @throws Error if the certificate or the key is invalid, or if they don't belong together */
const createHttps = (options: https.ServerOptions, respond: RequestListener): https.Server => {
  try {
    return https.createServer(options, respond);
  } catch (error) {
    throw new Error(`tlsCert and tlsKey cannot be used: ${(error as Error).message}`);
  }
};

const listenError = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`port ${port} is already in use; choose a different port, or 0 for any free port`);
    case 'EACCES':
      return new Error(`port ${port} needs administrator rights; choose 1024 or higher`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `host "${host}" is not an address of this machine; choose 0.0.0.0 to listen on all of its addresses`,
      );
    default:
      return error;
  }
};
