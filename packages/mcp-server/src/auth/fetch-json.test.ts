import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { certificateFiles } from '../../../testing/src/certificate.ts';
import { startPlainServer } from '../testing/plain-server.fixture.ts';
import { fetchJson } from './fetch-json.ts';

/** Starts an HTTPS server that returns JSON. */
const startHttps = async () => {
  const files = await certificateFiles();
  const server = await listen(files);
  onTestFinished(() => server.close());
  return { url: `${server.controlUrl}/settings`, caFile: files.tlsCert };
};

test('reports an untrusted certificate by its code', async () => {
  const { url } = await startHttps();
  const message = expect.stringMatching(/^(DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/);
  await expect(fetchJson(url)).rejects.toMatchObject({ message, isAway: true });
});

test('reports an unreachable server and an unknown host by their codes', async () => {
  await expect(fetchJson('http://127.0.0.1:1/')).rejects.toMatchObject({ message: 'ECONNREFUSED', isAway: true });
  const message = expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/);
  await expect(fetchJson('https://issuer.invalid/')).rejects.toMatchObject({ message, isAway: true });
});

test('does not follow redirects', async () => {
  const origin = await startPlainServer((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  );
  await expect(fetchJson(`${origin}/`)).rejects.toMatchObject({ message: 'HTTP status 302', isAway: false });
});

test('sends requests to the issuer through HTTPS_PROXY, like requests to the API', async () => {
  const { url, caFile } = await startHttps();
  const before = getCACertificates();
  setDefaultCACertificates([...before, readFileSync(caFile, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(before));
  const tunnels: string[] = [];
  const proxy = createServer().on('connect', ({ url: target = '' }, socket) => {
    tunnels.push(target);
    const [host, port] = target.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules(); // a process reads the proxy address only once
  const fresh = await import('./fetch-json.ts');
  expect(await fresh.fetchJson(url)).toEqual(expect.any(Object));
  expect(tunnels).toEqual([new URL(url).host]);
});
