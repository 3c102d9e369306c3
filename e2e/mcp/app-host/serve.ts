import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
<style>body { margin: 24px } iframe { width: 100%; border: 1px solid #8884; border-radius: 8px }</style></head>
<body><main></main><script type="module" src="/page.js"></script></body></html>`;

export interface ServedPage {
  url: string;
  stop(): Promise<void>;
}

/** Bundles the host's page and serves it on loopback, at an origin that the server allows. */
export const servePage = async (): Promise<ServedPage> => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const server = createServer(({ url }, response) => {
    const isScript = url === '/page.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? output[0].code : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
};
