import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basePath } from '../api/router.ts';
import { controlPath } from '../control/control.ts';
import { createEngine, type MockEngine } from '../engine.ts';
import { readOrdersFile } from '../files/orders-file.ts';
import type { Journal } from '../journal/journal.ts';
import type { Mock } from '../mock.ts';
import { keepConnection, refuseBytes } from './connections.ts';
import { hostInUrl, namesOfCertificate } from './hosts.ts';
import { type ListenOptions, readListenOptions } from './listen-options.ts';
import { selfSigned } from './self-signed.ts';
import { type HttpSide, sayDefect, serveApi } from './serve-api.ts';
import { serveControl } from './serve-control.ts';

const controlPattern = /^\/__mock(?=[/?]|$)/;
const healthPattern = /^\/__mock\/health(?=\?|$)/;

/** A mock service on a port. */
export interface MockServer extends Mock {
  /** URL of the API; ends in `/api/v1`. */
  baseUrl: string;
  /** URL of the control API; ends in `/__mock`; absent with `control: false`. */
  controlUrl?: string;
  /** Certificate file that clients must trust, e.g. as NODE_EXTRA_CA_CERTS; only with `tls`. */
  caFile?: string;
  /**
   * Stops the server and closes all connections.
   * @param graceMs time for requests in flight to finish, ms. Default: 0
   */
  close(graceMs?: number): Promise<void>;
  /** Calls `close()`: `await using mock = await listen()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a mock service, by default on a free port of loopback.
 * @throws Error that names an invalid option or file, or says that the port is in use or the address isn't local
 */
export const listen = async (options: ListenOptions = {}): Promise<MockServer> => {
  const { port, host, allowedHosts, tls, control, ordersFile, mockOptions } = readListenOptions(options);
  const made = createEngine(mockOptions, {
    tls,
    ...(ordersFile !== undefined && { ownOrders: readOrdersFile(ordersFile) }),
    faultHeader: control,
  });
  const closed = new AbortController();
  const waitFor: Journal['waitFor'] = (filter, { signal, ...options } = {}) =>
    made.journal.waitFor(filter, { ...options, signal: AbortSignal.any([closed.signal, ...(signal ? [signal] : [])]) });
  const mock: MockEngine = {
    ...made,
    journal: { ...made.journal, waitFor },
    reset() {
      made.reset();
      side.doomed = new WeakSet();
      for (const outgoing of side.hanging) outgoing.destroy();
    },
  };
  const side: HttpSide = {
    mock,
    secure: tls,
    doomed: new WeakSet<Socket>(),
    connections: new Map(),
    late: new Set(),
    hanging: new Set(),
  };
  const controlSide = { mock, allowedHosts, secure: tls };
  const respond: RequestListener = (incoming, outgoing) => {
    try {
      if ((control ? controlPattern : healthPattern).test(incoming.url ?? ''))
        serveControl(controlSide, incoming, outgoing);
      else serveApi(side, incoming, outgoing);
    } catch (error) {
      sayDefect(outgoing, error);
    }
  };
  const certificate = tls ? selfSigned(Date.now(), namesOfCertificate(host, allowedHosts)) : undefined;
  const settings = { maxHeaderSize: 65_536, keepAliveTimeoutBuffer: 0, requireHostHeader: false };
  const server = certificate
    ? https.createServer({ ...settings, ...certificate }, respond)
    : http.createServer(settings, respond);
  server.on('connection', (socket: Socket) => keepConnection(side, socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseBytes(side, error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });

  const origin = `http${tls ? 's' : ''}://${hostInUrl(host)}:${(server.address() as AddressInfo).port}`;
  const folder = certificate && mkdtempSync(join(tmpdir(), 'order-license-mock-'));
  const caFile = folder && join(folder, 'ca.pem');
  if (certificate && caFile) writeFileSync(caFile, certificate.cert);
  const close = (graceMs = 0): Promise<void> =>
    new Promise((resolve) => {
      if (folder) rmSync(folder, { recursive: true, force: true });
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(timer);
        closed.abort(new Error('the mock was closed before the requests were recorded'));
        resolve();
      });
      side.onEnd = () => {
        if (graceMs === 0 || side.late.size === 0) server.closeAllConnections();
      };
      side.onEnd();
    });
  return {
    ...mock,
    baseUrl: origin + basePath,
    ...(control ? { controlUrl: origin + controlPath } : {}),
    ...(caFile ? { caFile } : {}),
    close,
    [Symbol.asyncDispose]: () => close(),
  };
};

const listenError = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`port ${port} is taken; choose another one, or 0 for a free one`);
    case 'EACCES':
      return new Error(`port ${port} needs administrator rights; choose 1024 or higher`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(`host "${host}" is not an address of this machine; 0.0.0.0 listens on all of them`);
    default:
      return error;
  }
};
