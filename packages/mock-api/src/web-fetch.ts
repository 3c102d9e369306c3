import { STATUS_CODES } from 'node:http';
import type { MockRequest } from './api/request.ts';
import { isBodiless } from './api/responses.ts';
import type { Outcome } from './faults/fault.ts';
import type { Connection } from './journal/contract-check.ts';
import type { Clock } from './limit/clock.ts';

export type WebFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The parts of a mock that the fetch adapter uses. */
interface WebSide {
  answer(request: MockRequest, connection?: Connection): Outcome;
  connect(): Connection;
  clock: Pick<Clock, 'sleep'>;
}

/**
 * Creates a fetch function that returns the responses of a mock (see `Mock.fetch`).
 * @param handOut receives the connection of each returned response. Default: closes it at once
 */
export const webFetch =
  (mock: WebSide, handOut = (connection: Connection): void => queueMicrotask(connection.close)): WebFetch =>
  async (input, init) => {
    const request = new Request(
      typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input,
      init,
    );
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    // The headers with which fetch announces a body are not in the Request. An empty text is not a body.
    const framing = request.body && init?.body !== '' ? ['transfer-encoding', 'chunked'] : [];
    const connection = mock.connect();
    const { response, delayMs, wire, sent } = mock.answer(
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
    sent?.();
    handOut(connection);
    const empty = request.method === 'HEAD' || isBodiless(response.status);
    const { status, headers } = response;
    const returned = new Response(empty ? null : response.body, {
      status,
      headers,
      statusText: STATUS_CODES[status] ?? '',
    });
    return Object.defineProperty(returned, 'url', { value: request.url });
  };
