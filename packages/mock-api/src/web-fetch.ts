import { STATUS_CODES } from 'node:http';
import { isBodiless } from './api/responses.ts';
import type { InnerMock } from './mock.ts';

export type WebFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates a fetch function that returns the responses of a mock (see `Mock.fetch`).
 * @param idle the connections that the next request can use. Without it, requests have no connection
 */
export const webFetch =
  (mock: Omit<InnerMock, 'fetch'>, idle?: object[]): WebFetch =>
  async (input, init) => {
    const request = new Request(
      typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input,
      init,
    );
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    // The headers with which fetch announces a body are not in the Request. An empty text is not a body.
    const framing = request.body && init?.body !== '' ? ['transfer-encoding', 'chunked'] : [];
    const connection = idle && (idle.pop() ?? {});
    const { response, delayMs, wire } = mock.answer(
      {
        method: request.method,
        target: url.pathname + url.search,
        rawHeaders: ['host', url.host, ...[...request.headers].flat(), ...framing],
        secure: url.protocol === 'https:',
      },
      connection,
    );
    if (wire)
      throw new Error(
        `the fault "${wire.kind}" breaks the connection, which createMock().fetch cannot simulate; use listen()`,
      );
    if (delayMs > 0) await mock.clock.sleep(delayMs, request.signal);
    if (connection) queueMicrotask(() => idle.push(connection));
    const empty = request.method === 'HEAD' || isBodiless(response.status);
    const { status, headers } = response;
    const returned = new Response(empty ? null : response.body, {
      status,
      headers,
      statusText: STATUS_CODES[status] ?? '',
    });
    return Object.defineProperty(returned, 'url', { value: request.url });
  };
