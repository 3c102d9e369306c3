// Steps that each runtime runs with the client. A step is called by name, with the mock's address and key.

/**
 * Runs a step.
 * @param core the exports of @order-license/core, as the runtime resolves it
 */
export const runStep = async (core, name, service) => {
  try {
    return await steps[name](core, service);
  } catch (error) {
    const { code, reason, sent, attempts, message } = error;
    return { code, reason, sent, attempts, message: String(message) };
  }
};

const steps = {
  names: async (core) => ({ names: Object.keys(core) }),
  reads: async ({ createClient }, service) => {
    const client = createClient({ ...service, onEvent: () => undefined });
    const me = await client.getMe();
    const { orders, pagination } = await client.listOrders({ perPage: 3, status: 'bezahlt' });
    const order = await client.getOrder(orders[0].id);
    return {
      me,
      listed: orders.length,
      total: pagination.total,
      items: order.items.length,
      id: orders[0].id === order.id,
    };
  },
  walk: async ({ createClient }, service) => {
    const ids = [];
    for await (const order of createClient(service).orders()) ids.push(order.id);
    return { ids };
  },
  limited: async ({ createClient }, service) => {
    const start = performance.now();
    await createClient({ ...service, rateLimit: { guardMs: 10 } }).getMe();
    return { waitedMs: performance.now() - start };
  },
  abort: async ({ createClient }, service) => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 100);
    return await createClient(service).getMe({ signal: cancel.signal });
  },
  timeout: async ({ createClient }, service) => createClient({ ...service, retries: 0, timeoutMs: 200 }).getMe(),
  once: async ({ createClient }, service) => createClient({ ...service, retries: 0 }).getMe(),
  unreached: async ({ createClient }, { apiKey }) =>
    createClient({ baseUrl: 'http://127.0.0.1:1/api/v1', apiKey, retries: 0 }).getMe(),
  paced: async ({ createClient }, service) => {
    const client = createClient({ ...service, rateLimit: { requests: 2, windowMs: 300, guardMs: 20 } });
    const start = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => client.getMe()));
    return { tookMs: performance.now() - start };
  },
};
