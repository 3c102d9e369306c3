import type { Mock } from '@order-license/mock-api';
import type { N8nResponse } from '@order-license/testing/n8n-execution';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { innerOf } from '../../../packages/mock-api/src/mock.ts';
import { sleep } from './virtual-day.ts';

/** How the API fails: nothing listens, a gateway returns 503, or no response arrives. */
export type Outage = 'refused' | 'unavailable' | 'silent';

/** The network between the programs and the mock. */
export interface Network {
  /** Returns the response to one request. Request and response are each delayed by a trip through the network. */
  send(request: IHttpRequestOptions): Promise<N8nResponse>;
  /** Starts an outage; undefined ends it. */
  setOutage(outage: Outage | undefined): void;
  /**
   * Sets the share of connections that break from now on. Half of them break before the API receives the request, half
   * after.
   */
  setDrops(share: number): void;
}

/**
 * Creates a network to the mock.
 * @param random returns numbers of at least 0 and less than 1
 */
export const createNetwork = (mock: Mock, apiKey: string, random: () => number): Network => {
  let outage: Outage | undefined;
  let drops = 0;
  /** The open connections that are free. */
  const idle: object[] = [];

  const exchange = async ({ url, headers }: IHttpRequestOptions): Promise<N8nResponse> => {
    if (outage === 'refused') throw failure('ECONNREFUSED');
    const connection = idle.pop() ?? {};
    const breaks = random() < drops ? (random() < 0.5 ? 'before' : 'after') : undefined;
    await sleep(40 + random() * 80);
    if (outage === 'silent') return new Promise(() => undefined);
    if (outage === 'unavailable') return gateway;
    if (breaks === 'before') throw failure('ECONNRESET');
    const { host, pathname, search } = new URL(url);
    const rawHeaders = ['host', host, 'authorization', `Bearer ${apiKey}`, ...Object.entries(headers ?? {}).flat()];
    const target = pathname + search;
    mock.clock.advance(Date.now() - mock.clock.now());
    const request = { method: 'GET', target, rawHeaders: rawHeaders as string[], secure: true };
    const { response } = innerOf(mock).answer(request, connection);
    await sleep(30 + random() * 60);
    if (breaks === 'after') throw failure('ECONNRESET');
    idle.push(connection);
    const body = Buffer.from(response.body);
    return {
      statusCode: response.status,
      headers: response.headers,
      body: body.buffer.slice(body.byteOffset, body.byteOffset + body.length),
    };
  };

  return {
    send: (request) => untilAborted(exchange(request), request.abortSignal as AbortSignal | undefined),
    setOutage(next) {
      outage = next;
    },
    setDrops(share) {
      drops = share;
    },
  };
};

const failure = (code: string): Error => Object.assign(new Error(code), { code });

const gateway: N8nResponse = {
  statusCode: 503,
  headers: { 'content-type': 'text/html' },
  body: new TextEncoder().encode('<html>503</html>').buffer as ArrayBuffer,
};

/** Returns the result of `work`. Throws the reason of `signal` if that aborts first. */
export const untilAborted = <Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort));
  });
