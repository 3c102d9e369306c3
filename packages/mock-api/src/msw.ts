import { HttpRequestInterceptor } from '@mswjs/interceptors/http';
import { type HttpHandler, http } from 'msw';
import { defineNetwork, InterceptorSource } from 'msw/experimental';
import { basePath } from './api/request.ts';
import { innerOf, type Mock } from './mock.ts';
import { webFetch } from './web-fetch.ts';

/**
 * Returns msw handlers that serve every request under `baseUrl` from the mock. From then on, the mock rejects
 * connection faults.
 * @param baseUrl base URL of the client; ends in `/api/v1`
 * @throws Error if `baseUrl` is invalid or a connection fault is pending
 */
export const handlers = (mock: Mock, baseUrl: string): HttpHandler[] => {
  // A request's URL has no default port, and its host is in ASCII.
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  if (!path.endsWith(basePath)) throw new Error(`baseUrl must end in ${basePath}, not "${baseUrl}"`);
  const prefix = path.slice(0, -basePath.length);
  const inner = innerOf(mock);
  inner.faults.rejectWire('msw');
  const answer = webFetch(inner);
  return [
    http.all(`${origin}${path}/*`, ({ request }) => {
      const url = new URL(request.url);
      url.pathname = url.pathname.slice(prefix.length);
      return answer(url, { method: request.method, headers: request.headers, signal: request.signal });
    }),
  ];
};

/** Responds to requests from the mock while it is enabled. */
export interface MockNetwork {
  enable(): Promise<void>;
  disable(): Promise<void>;
}

/**
 * Intercepts fetch, node:http and undici in this process; msw's setupServer doesn't intercept undici. Requests to other
 * URLs fail.
 * @param baseUrl base URL of the client; ends in `/api/v1`
 * @throws Error like `handlers`
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
