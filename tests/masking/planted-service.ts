import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The data of the responses that the API sends. */
export interface Planted {
  me: unknown;
  list: { orders: unknown[]; pagination: object };
  /** The full orders, by ID. */
  orders: Record<string, unknown>;
  /** If set, every request gets this error instead. */
  error?: { status: number; error: string };
}

export interface PlantedService {
  /** Returns an address that no earlier client has used, so that none waits for another. */
  newBaseUrl(): string;
  plant(planted: Planted): void;
  close(): Promise<void>;
}

/** Starts an API that responds as configured, whatever the API docs say. */
export const listenPlanted = async (): Promise<PlantedService> => {
  let planted: Planted = { me: {}, list: { orders: [], pagination: { pages: 1 } }, orders: {} };
  const server = createServer((request, response) => {
    const { status, body } = answer(planted, request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let clients = 0;
  return {
    newBaseUrl: () => `${origin}/${++clients}/api/v1`,
    plant(next) {
      planted = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Returns the response to a request. @param url an address, or its path and query */
export const answer = (planted: Planted, url: string): { status: number; body: string } => {
  const { error } = planted;
  if (error) return { status: error.status, body: JSON.stringify(error) };
  const [path = '', query = ''] = url.replace(/^.*\/api\/v1/, '').split('?');
  const page = Number(new URLSearchParams(query).get('page') ?? 1);
  const data =
    path === '/me'
      ? planted.me
      : path === '/orders'
        ? { ...planted.list, orders: page === 1 ? planted.list.orders : [] }
        : planted.orders[path.replace('/orders/', '')];
  const status = data === undefined ? 404 : 200;
  return { status, body: JSON.stringify(status === 200 ? { status, data } : { status, error: 'Order not found' }) };
};
