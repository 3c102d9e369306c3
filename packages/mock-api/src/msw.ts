import { HttpRequestInterceptor } from '@mswjs/interceptors/http';
import { type HttpHandler, http } from 'msw';
import { defineNetwork, InterceptorSource } from 'msw/experimental';
import { basePath } from './api/router.ts';
import { engineOf } from './engine.ts';
import { webFetch } from './fetch-adapter.ts';
import type { Mock } from './mock.ts';

/**
 * Handlers for msw that answer everything under `baseUrl` from the mock.
 * @param baseUrl address that the client is given, ending in `/api/v1`
 * @throws Error where the mock has a wire fault waiting; later ones are refused when they are added
 */
export const handlers = (mock: Mock, baseUrl: string): HttpHandler[] => {
  const base = baseUrl.replace(/\/+$/, '');
  if (!base.endsWith(basePath)) throw new Error(`baseUrl must end in ${basePath}, unlike "${baseUrl}"`);
  const prefix = new URL(base).pathname.slice(0, -basePath.length);
  const engine = engineOf(mock);
  engine.faults.refuseWire('msw');
  // msw hands an answer on at some later time, so no connection says when the client has read it.
  const answer = webFetch(engine, () => undefined);
  return [
    http.all(`${base}/*`, ({ request }) => {
      const url = new URL(request.url);
      url.pathname = url.pathname.slice(prefix.length);
      return answer(url, { method: request.method, headers: request.headers, signal: request.signal });
    }),
  ];
};

/** A network that answers from the mock while it is enabled. */
export interface MockNetwork {
  enable(): Promise<void>;
  disable(): Promise<void>;
}

/**
 * Catches requests of fetch, node:http and undici in this process, which msw's own setupServer does not do for undici.
 * Requests to anywhere else fail.
 * @param baseUrl address that the client is given, ending in `/api/v1`
 */
export const mockNetwork = (mock: Mock, baseUrl: string): MockNetwork => {
  const network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [new HttpRequestInterceptor()] })],
    handlers: handlers(mock, baseUrl),
    onUnhandledFrame: 'error',
    context: { quiet: true },
  });
  return {
    enable: async () => void (await network.enable()),
    disable: async () => void (await network.disable()),
  };
};
