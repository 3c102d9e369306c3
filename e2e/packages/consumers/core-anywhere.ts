// Uses core as in a project that has neither Node's types nor browser types.
import { type Client, createClient, type Order } from '@order-license/core';
import { createClient as createFetchClient } from '@order-license/core/fetch';
import { createClient as createPortableClient, type Host } from '@order-license/core/portable';

const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'a-key' };
declare const host: Host;
const clients: Client[] = [
  createClient(service),
  createFetchClient(service),
  createPortableClient({ ...service, host }),
];
export const readAll = (id: number): Promise<Order[]> => Promise.all(clients.map((client) => client.getOrder(id)));
