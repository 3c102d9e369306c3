// The program that each bundler bundles: it reads orders through three of core's entries.
import { createClient, createSqliteStore, isOrderLicenseError } from '@order-license/core';
import { createClient as createOnFetch } from '@order-license/core/fetch';
import { createClient as createPortable } from '@order-license/core/portable';

/** Reads 60 orders and the first of them in full, with each entry. */
export const readOrders = async (service, path) => {
  const events = [];
  const store = createSqliteStore({ ...service, path, onEvent: (event) => events.push(event) });
  const result = {
    node: await readWith(createClient({ ...service, store })),
    fetch: await readWith(createOnFetch(service)),
    portable: await readWith(createPortable({ ...service, host })),
    events,
    rejects: rejection(() => createClient({ ...service, baseUrl: 'no address' })),
  };
  await store.close();
  return result;
};

const readWith = async (client) => {
  const orders = await Array.fromAsync(client.orders({ limit: 60 }));
  const { items } = await client.getOrder(orders[0].id);
  await client.close();
  return [orders.length, items.length > 0];
};

const rejection = (call) => {
  try {
    return call();
  } catch (error) {
    return isOrderLicenseError(error) && error.code;
  }
};

const host = {
  async send({ url, apiKey, headers, signal }) {
    const response = await fetch(url, { headers: { ...headers, authorization: `Bearer ${apiKey}` }, signal });
    const body = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: Object.fromEntries(response.headers), body };
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => performance.now(),
};
