import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listen } from '@order-license/mock-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProxy } from '../../../core/src/node/proxy.fixture.ts';
import { certificateFiles } from '../../../testing/src/certificate.ts';
import { startPlainServer } from '../testing/plain-server.fixture.ts';
import { fetchJson } from './fetch-json.ts';
import { openIssuer } from './issuer.ts';

const read = (url: string) => fetchJson(url, (json) => json);

/** Starts an HTTPS server that returns JSON. */
const startHttps = async () => {
  const files = await certificateFiles();
  const server = await listen(files);
  onTestFinished(() => server.close());
  return { url: `${server.controlUrl}/settings`, caFile: files.tlsCert };
};

test('reports an untrusted certificate by its code', async () => {
  const { url } = await startHttps();
  const message = expect.stringMatching(/^https:.*: (DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/);
  await expect(read(url)).rejects.toMatchObject({ message, isAway: true });
});

test('does not follow redirects', async () => {
  const origin = await startPlainServer((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  );
  await expect(read(`${origin}/`)).rejects.toMatchObject({ message: `${origin}/: HTTP status 302`, isAway: false });
});

const setEnv = (variables: Record<string, string>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
};

/** Trusts the certificate of the test's HTTPS server. */
const trust = (caFile: string) => {
  const before = getCACertificates();
  setDefaultCACertificates([...before, readFileSync(caFile, 'utf8')]);
  onTestFinished(() => setDefaultCACertificates(before));
};

test.each([
  ['', true],
  ['127.0.0.0/8', false],
])('with a proxy and NO_PROXY=%s, whether the proxy is used is %s, as for the API', async (noProxy, isUsed) => {
  const { url, caFile } = await startHttps();
  trust(caFile);
  const proxy = await startProxy();
  onTestFinished(proxy.close);
  setEnv({ HTTPS_PROXY: proxy.url, NO_PROXY: noProxy });
  expect(await read(url)).toEqual(expect.any(Object));
  expect(proxy.tunnels).toEqual(isUsed ? [new URL(url).host] : []);
});

test('names the variable of a proxy that opens no tunnel', async () => {
  const { url } = await startHttps();
  const proxy = await startProxy(407);
  onTestFinished(proxy.close);
  setEnv({ ALL_PROXY: proxy.url });
  const message = `${url}: The proxy in ALL_PROXY requires a valid user name and password (407)`;
  await expect(read(url)).rejects.toMatchObject({ message, isAway: true });
});

test('a variable that is not the URL of a proxy is a configuration error', async () => {
  setEnv({ ALL_PROXY: 'ftp://canary@proxy.example' });
  const message = expect.stringMatching(/^ALL_PROXY is not the URL of a supported proxy(?!.*canary)/);
  await expect(openIssuer('https://issuer.example')).rejects.toMatchObject({ code: 'configuration', message });
});
