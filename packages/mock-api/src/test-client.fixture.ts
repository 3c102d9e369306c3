import http from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished, vi } from 'vitest';
import type { InnerMock, Mock } from './mock.ts';
import { listen, type MockServer } from './server/listen.ts';
import type { ListenOptions } from './server/listen-options.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests access JSON by name, and a wrong name fails them
export type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; `undefined` if it isn't JSON. */
  body: Json;
}

export interface Ask {
  /** The plain key; `null` sends no Authorization header. Default: the key `business`. */
  key?: string | null;
  method?: string;
  headers?: Record<string, string>;
}

/** Starts a mock, which stops at the end of the test. */
export const started = async (options: ListenOptions = {}): Promise<MockServer> => {
  const mock = await listen(options);
  onTestFinished(() => mock.close());
  return mock;
};

/** Hides the output of a console method until the end of the test. */
export const silenced = (method: 'warn' | 'error') => {
  const spy = vi.spyOn(console, method).mockReturnValue();
  onTestFinished(() => spy.mockRestore());
  return spy;
};

/** Returns the headers of a well-formed request. */
export const headersFor = ({ keys }: Pick<Mock, 'keys'>) => {
  return { authorization: `Bearer ${keys.business}`, accept: 'application/json' };
};

/** Sends a request with any headers and bytes to a path or URL of the mock's server. */
export const sendRaw = (
  mock: MockServer,
  path: string,
  { body, ...options }: http.RequestOptions & { body?: string | Uint8Array } = {},
) =>
  new Promise<{ status: number | undefined; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const { hostname: host, port } = new URL(mock.baseUrl);
    const request = http.request({ host, port, path, ...options }, async (response) =>
      resolve({ status: response.statusCode, headers: response.headers, text: await text(response) }),
    );
    request.on('error', reject).end(body);
  });

/** Sends a well-formed request to a path of the API. */
export const ask = async (
  mock: MockServer,
  path: string,
  { key, method = 'GET', headers = {} }: Ask = {},
): Promise<Answer> => {
  const authorization = key === null ? {} : { authorization: `Bearer ${key ?? mock.keys.business}` };
  const response = await fetch(mock.baseUrl + path, {
    method,
    headers: { accept: 'application/json', ...authorization, ...headers },
    redirect: 'manual',
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
};

/** Sends a well-formed request to a mock without a server, as if on one connection. */
export const send = (mock: InnerMock, path: string, { key, method = 'GET', headers = {} }: Ask = {}) => {
  const authorization = key === null ? {} : { authorization: `Bearer ${key ?? mock.keys.business}` };
  const rawHeaders = Object.entries({ ...authorization, accept: 'application/json', ...headers }).flat();
  const { response, delayMs } = mock.answer({ method, target: `/api/v1${path}`, rawHeaders, secure: false }, mock);
  const text = String(response.body);
  return { status: response.status, headers: response.headers, text, body: parsed(text), delayMs };
};

/** Returns the numbers of the rules that the newest request in the journal violates. */
export const newestPoints = ({ journal }: Pick<InnerMock, 'journal'>): string[] =>
  journal
    .entries()
    .at(-1)
    ?.violations.map(({ point }) => point) ?? [];

/** Returns all entries of a list, from page 1 to `pages`. */
export const walk = async (mock: MockServer, query = '', options: Ask = {}): Promise<Json[]> => {
  const orders: Json[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await ask(mock, `/orders?page=${page}${query && `&${query}`}`, options);
    orders.push(...body.data.orders);
    pages = body.data.pagination.pages;
  }
  return orders;
};

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
