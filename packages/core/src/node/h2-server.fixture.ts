import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { makeCertificate } from '@order-license/testing/certificate';
import { listenOnLoopback } from '@order-license/testing/loopback';

/** The only certificate of the process: among several CAs with the same name, OpenSSL may pick the wrong one. */
export const certificate = await makeCertificate();
const trusted = getCACertificates('default');

interface H2Connection {
  /** Number of the connection to this server, from 1. */
  number: number;
  protocol: string;
}

/** Serves one request, over HTTP/1.1 or HTTP/2. */
export type H2Handler = (request: Http2ServerRequest, response: Http2ServerResponse, connection: H2Connection) => void;

/**
 * Starts a TLS server that offers HTTP/2 and HTTP/1.1, as most servers on the internet do, until the test ends. From then
 * on, this process trusts its certificate.
 */
export const startH2Server = async (handler: H2Handler) => {
  setDefaultCACertificates([...trusted, certificate.cert]);
  const connections = new Map<TLSSocket, H2Connection>();
  const server = createSecureServer({ ...certificate, allowHTTP1: true });
  server.on('secureConnection', (socket) => {
    connections.set(socket, { number: connections.size + 1, protocol: String(socket.alpnProtocol) });
  });
  server.on('request', (request, response) => {
    const socket = [...connections.keys()].find(({ remotePort }) => remotePort === request.socket.remotePort);
    const connection = socket && connections.get(socket);
    if (connection) handler(request, response, connection);
  });
  const { port } = await listenOnLoopback(server);
  return { baseUrl: `https://127.0.0.1:${port}/api/v1`, connections: () => [...connections.values()] };
};
