import type { Clock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import { isBodiless, type MockRequest } from './request.ts';

export type WebFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A fetch function that a mock answers (see `Mock.fetch`). */
export function webFetch(mock: { answer(request: MockRequest): Exchange; clock: Clock }): WebFetch {
  return async (input, init) => {
    const request = new Request(
      typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input,
      init,
    );
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    const { response, delayMs, wire } = mock.answer({
      method: request.method,
      target: url.pathname + url.search,
      rawHeaders: ['host', url.host, ...[...request.headers].flat()],
      secure: url.protocol === 'https:',
    });
    if (wire) throw new Error(`the fault "${wire.kind}" breaks the wire, which fetch cannot do; use listen()`);
    if (delayMs > 0) await mock.clock.sleep(delayMs, request.signal);
    const empty = request.method === 'HEAD' || isBodiless(response.status);
    return new Response(empty ? null : response.body, { status: response.status, headers: response.headers });
  };
}
