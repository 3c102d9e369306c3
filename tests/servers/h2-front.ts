import { request } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '@order-license/testing/certificate';

/**
 * Starts a reverse proxy in front of the API at `baseUrl`. Its TLS offers HTTP/2 and HTTP/1.1, like most services on
 * the internet. If its connection to the API breaks, it also breaks its connection to the client. This process trusts
 * its certificate from then on.
 */
export const startH2Front = async (baseUrl: string) => {
  const certificate = await makeCertificate();
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const server = createSecureServer({ ...certificate, allowHTTP1: true });
  server.on('secureConnection', (socket) => socket.on('error', () => undefined));
  server.on('request', ({ method, url, headers }, response) => {
    const cut = () => (response.stream ?? response).destroy();
    const forwarded = Object.entries(headers).filter(([name]) => !/^:|^connection$/.test(name));
    const upstream = request(new URL(url, baseUrl), { method, agent: false, headers: Object.fromEntries(forwarded) });
    upstream.on('error', cut);
    upstream.on('response', (answer) => {
      const { connection, 'keep-alive': _, 'transfer-encoding': __, ...received } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, received);
      answer.on('data', (chunk) => response.write(chunk));
      answer.on('end', () => response.end());
      answer.on('error', cut);
    });
    response.on('close', () => upstream.destroy());
    response.on('error', () => undefined);
    upstream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `https://127.0.0.1:${port}/api/v1`,
    close: () => void server.close(),
  };
};
