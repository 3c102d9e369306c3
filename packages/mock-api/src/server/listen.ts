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
import { readStateFile, writeStateFile } from '../files/state-file.ts';
import type { Mock } from '../mock.ts';
import { keepConnection, refuseBytes } from './connections.ts';
import { hostInUrl, namesOfCertificate } from './hosts.ts';
import { type ListenOptions, readListenOptions } from './listen-options.ts';
import { selfSigned } from './self-signed.ts';
import { type HttpSide, sayDefect, serveApi } from './serve-api.ts';
import { serveControl } from './serve-control.ts';

const controlPattern = /^\/__mock(?=[/?]|$)/;
const healthPattern = /^\/__mock\/health(?=\?|$)/;

/** A mock service that listens. */
export interface MockServer extends Mock {
  /** Ends in `/api/v1`. */
  baseUrl: string;
  /** Ends in `/__mock`; absent with `control: false`. */
  controlUrl?: string;
  /** File with the certificate that clients have to trust (e.g. as NODE_EXTRA_CA_CERTS); with `tls` only. */
  caFile?: string;
  /**
   * Stops listening, and stops at once, also while clients keep connections open. Saves the state where there is a
   * `stateFile`.
   * @param graceMs requests that are under way get so long for their answers, ms; 0 where absent
   */
  close(graceMs?: number): Promise<void>;
  /** Closes it at once: `await using mock = await listen()`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a mock service, on loopback where nothing else is asked for.
 * @throws Error when an option is wrong, the port is taken or the address is none of this machine
 */
export const listen = async (options: ListenOptions = {}): Promise<MockServer> => {
  const { port, host, allowedHosts, tls, control, ordersFile, stateFile, mockOptions } = readListenOptions(options);
  const made = createEngine(
    { ...mockOptions, ...(ordersFile !== undefined && { orders: readOrdersFile(ordersFile) }) },
    {
      tls,
      faultHeader: control,
      ...(stateFile !== undefined && { initialState: (keys) => readStateFile(stateFile, keys) }),
    },
  );
  const save = (): void => {
    if (stateFile !== undefined) writeStateFile(stateFile, made.state.dump());
  };
  const mock: MockEngine = {
    ...made,
    reset() {
      made.reset();
      side.doomed = new WeakSet();
    },
  };
  const side: HttpSide = { mock, secure: tls, doomed: new WeakSet<Socket>(), connections: new Map(), late: new Set() };
  const controlSide = { mock, allowedHosts, secure: tls };
  const respond: RequestListener = (incoming, outgoing) => {
    server.keepAliveTimeout = mock.settings().keepAliveMs;
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
  save(); // A file that cannot be written is an error now, not when the mock closes.
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen(port, host, resolve);
  });

  const origin = `http${tls ? 's' : ''}://${hostInUrl(host)}:${(server.address() as AddressInfo).port}`;
  const folder = certificate && mkdtempSync(join(tmpdir(), 'order-license-mock-'));
  const caFile = folder && join(folder, 'ca.pem');
  if (certificate && caFile) writeFileSync(caFile, certificate.cert);
  const close = (graceMs = 0): Promise<void> =>
    new Promise((resolve, reject) => {
      if (folder) rmSync(folder, { recursive: true, force: true });
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(timer);
        try {
          save();
          resolve();
        } catch (error) {
          reject(error);
        }
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
      return new Error(`port ${port} is taken; choose another, or none for a free one`);
    case 'EACCES':
      return new Error(`port ${port} is for privileged programs; choose one from 1024 up`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(`host "${host}" is no address of this machine; 0.0.0.0 listens on all of them`);
    default:
      return error;
  }
};
