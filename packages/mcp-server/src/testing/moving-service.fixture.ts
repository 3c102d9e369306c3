import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import {
  type Client,
  type ClientOptions,
  createClient,
  type Host,
  type OrderSummary,
  timeoutError,
} from '@order-license/core/portable';
import type { Masking } from '../answers/masked-answer.ts';
import type { Call } from '../client/one-call.ts';
import { connectInProcess } from './in-process.fixture.ts';
import { callsOf } from './mcp-session.fixture.ts';

export const timeText = (second: number): string =>
  new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' ');

let made = 0;
/** Returns an order created this many seconds after the start of 2026. */
export const orderAt = (second: number, more: Partial<OrderSummary> = {}): OrderSummary => {
  const id = ++made;
  return {
    id,
    bestellnummer: `B-${id}`,
    status: 'bezahlt',
    zahlungsstatus: 'bezahlt',
    gesamtpreis_brutto: '1.00',
    waehrung: 'EUR',
    created_at: timeText(second),
    lieferstatus: 'geliefert',
    ...more,
  } as OrderSummary;
};

/** Returns a license key of five groups of five characters, which is different for each number. */
export const keyOf = (serial: number): string => {
  const characters = createHash('sha256').update(String(serial)).digest('base64').toUpperCase();
  return (characters.replace(/[+/=]/g, '7').match(/.{5}/g) ?? []).slice(0, 5).join('-');
};

/** Returns orders an hour apart, the newest first. */
export const hourly = (count: number, more: (n: number) => Partial<OrderSummary> = () => ({})): OrderSummary[] =>
  Array.from({ length: count }, (_, n) => orderAt((count - n) * 3_600, more(n)));

export interface ServiceOptions {
  /** The list, newest first. */
  orders?: OrderSummary[];
  /** Returns the `data` of the response to a URL, or the status of an error, whatever the orders are. */
  respond?: (url: string) => unknown;
  /** Called before each response; changes the list, or throws. */
  beforeAnswer?: (request: number, orders: OrderSummary[]) => unknown;
  /** Changes a response, to simulate an API that violates its docs. */
  distort?: (page: { orders: OrderSummary[]; pagination: Record<string, unknown> }) => object;
  /** Returns the fields of an order's details, or the status of an error. Default: those of its list entry. */
  details?: (order: OrderSummary) => object | number;
  /** Duration of each request, ms. */
  tripMs?: number;
}

/**
 * Creates an API in this process, and a tool call that reads the API's list. Its virtual clock advances only during
 * waits and requests; `sentAt` has the time of each request.
 */
export const movingService = (options: ServiceOptions) => {
  const { orders = [], respond, beforeAnswer, distort = (page) => page, details = (order) => order } = options;
  const { tripMs = 0 } = options;
  /** Returns a page of the list, or the order in the path. */
  const read = ({ pathname, searchParams }: URL): object | number => {
    const [, id] = /\/orders\/(.+)$/.exec(pathname) ?? [];
    const one = orders.find((order) => String(order.id) === id);
    if (id !== undefined) return one ? details(one) : 404;
    const [page, perPage] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 20)];
    const status = searchParams.get('status');
    const list = orders.filter((order) => !status || order.status === status);
    const pages = Math.ceil(list.length / perPage);
    const pagination = { page, per_page: perPage, total: list.length, pages };
    return distort({ orders: list.slice((page - 1) * perPage, page * perPage), pagination });
  };
  let clock = 0;
  const sentAt: number[] = [];
  const host: Host = {
    now: () => clock,
    async sleep(ms, signal) {
      const until = clock + ms;
      await setImmediate(); // requests that were allowed to start earlier must be sent first
      if (signal?.aborted) throw signal.reason;
      clock = Math.max(clock, until);
    },
    async send({ url, timeoutMs }) {
      sentAt.push(clock);
      clock += Math.min(tripMs, timeoutMs);
      if (tripMs > timeoutMs) throw timeoutError(timeoutMs);
      beforeAnswer?.(sentAt.length, orders);
      const data = respond ? respond(url) : read(new URL(url));
      const body = typeof data === 'number' ? { status: data, error: 'no' } : { status: 200, data };
      return { status: body.status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) };
    },
  };
  const baseUrl = `https://moving-${++made}.example/api/v1`;
  const openClient = (
    rateLimit: object = { requests: 1_000_000, minGapMs: 0 },
    more: Partial<ClientOptions> = {},
    // No request waits for another one: such a wait would advance the clock to the call's deadline.
  ): Client => createClient({ host, baseUrl, apiKey: 'key', rateLimit, concurrency: 8, retries: 0, ...more });
  const call = (client = openClient()): Call => ({
    client,
    signal: new AbortController().signal,
    traceparent: undefined,
    reportProgress: () => undefined,
    requests: () => sentAt.length,
    endsAt: performance.now() + 45_000,
    show: (data) => data,
    peek: (data) => data,
    fits: () => true,
    record: () => undefined,
  });
  const pass = (ms: number): void => {
    clock += ms;
  };
  return { openClient, call, pass, sentAt, requests: () => sentAt.length, now: () => clock };
};

/** Connects a client to a server of such an API. By default, there is no rate limit. */
export const connectToService = async (
  options: ServiceOptions,
  { masking, rateLimit, folder, ...more }: Partial<ClientOptions> & { masking?: Masking; folder?: string } = {},
) => {
  const service = movingService(options);
  const openClient = async (onEvent: ClientOptions['onEvent']) => service.openClient(rateLimit, { onEvent, ...more });
  return { ...service, ...callsOf(await connectInProcess(openClient, masking, folder)) };
};
