// A program that uses both of the packages that core does not install.
import { createClient, createRedisStore } from '@order-license/core';
import { orderSchema } from '@order-license/core/schema';

const [baseUrl, apiKey, redis] = process.argv.slice(2);
const read = async () => {
  const events = [];
  const client = () => import('@redis/client');
  const store = createRedisStore({ baseUrl, apiKey, redis, client, onEvent: (event) => events.push(event) });
  const orders = createClient({ baseUrl, apiKey, store });
  const [{ id }] = await Array.fromAsync(orders.orders({ status: 'bezahlt', limit: 1 }));
  const order = orderSchema.parse(await orders.getOrder(id));
  await store.close();
  return { isSame: order.id === id, problems: events.map(({ problem }) => problem) };
};
read().then((result) => console.log(JSON.stringify(result)));
