import { createMock, type Mock, type MockOptions } from '@order-license/mock-api';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A request to a host: the part of core's `HttpRequest` needed here. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
}

/** The response that a host returns: core's `HttpResponse`. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface InProcessOptions {
  /** Returns the one-way latency of a request, ms; called twice per request. Default: 50. */
  tripMs?: (() => number) | undefined;
  /** Creates the error for a request that exceeds its `timeoutMs`. */
  timeoutError?: ((timeoutMs: number) => Error) | undefined;
}

/** Matches core's host structurally, so that this package does not depend on core. */
export interface InProcessHost extends Pick<VirtualClock, 'now' | 'sleep'> {
  send(request: SentRequest & { signal: AbortSignal | undefined; timeoutMs: number }): Promise<ReceivedResponse>;
}

/** Sends one request with `apiKey` to a mock in this process, and returns the response. */
export const askMock = async (mock: Mock, apiKey: string, { url, headers }: SentRequest): Promise<ReceivedResponse> => {
  const response = await mock.fetch(url, { headers: { ...headers, authorization: `Bearer ${apiKey}` } });
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
};

/**
 * Creates a mock in this process, and a virtual clock that the mock's clock follows. `host` creates a host for one API
 * key.
 */
export const createInProcessHost = (
  options: MockOptions = {},
  { tripMs = () => 50, timeoutError = (ms) => new Error(`No response within ${ms} ms.`) }: InProcessOptions = {},
) => {
  const clock = createVirtualClock();
  const mock = createMock({ frozenAt: Date.UTC(2026, 10, 21), ...options });
  let followed = 0;
  const host = (apiKey: string): InProcessHost => ({
    now: clock.now,
    sleep: clock.sleep,
    async send({ url, headers, signal, timeoutMs }) {
      const [there, back] = [tripMs(), tripMs()];
      if (there + back > timeoutMs) {
        await clock.sleep(timeoutMs, signal);
        throw timeoutError(timeoutMs);
      }
      await clock.sleep(there, signal);
      mock.clock.advance(clock.now() - followed);
      followed = clock.now();
      const response = await askMock(mock, apiKey, { url, headers });
      await clock.sleep(back, signal);
      return response;
    },
  });
  return { clock, mock, host };
};
