import { createMock, type Mock, type MockOptions } from '@order-license/mock-api';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** A request to a host: the part of core's `HttpRequest` needed here. */
export interface SentRequest {
  url: string;
  headers: Record<string, string>;
}

/** A host's result: core's `HttpResponse`. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface InProcessOptions {
  /** One-way latency of a request, ms; read twice per request. Default: 50. */
  tripMs?: (() => number) | undefined;
  /** The error for a request that exceeds its `timeoutMs`. */
  timeoutError?: ((timeoutMs: number) => Error) | undefined;
}

/** Matches core's host structurally, so that this package does not depend on core. */
export interface InProcessHost extends Pick<VirtualClock, 'now' | 'sleep'> {
  send(request: SentRequest & { signal: AbortSignal | undefined; timeoutMs: number }): Promise<ReceivedResponse>;
}

/** Responds to one request from a mock in this process, with `apiKey` in the Authorization header. */
export const askMock = async (mock: Mock, apiKey: string, { url, headers }: SentRequest): Promise<ReceivedResponse> => {
  const response = await mock.fetch(url, { headers: { ...headers, authorization: `Bearer ${apiKey}` } });
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
};

/** A mock in this process, in virtual time: its clock follows the virtual one. `host` makes a host for one API key. */
export const createInProcessHost = (
  options: MockOptions = {},
  { tripMs = () => 50, timeoutError = (ms) => new Error(`No answer within ${ms} ms.`) }: InProcessOptions = {},
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
