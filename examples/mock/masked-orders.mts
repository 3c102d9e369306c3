// Writes your newest 20 orders to a file for the mock, without license keys, names and addresses:
//
//   node masked-orders.mts > orders.jsonl
//   order-license-mock --orders-file orders.jsonl
import { createClient, maskOrder, maskOrderSummary } from '@order-license/core';

const { ORDER_LICENSE_BASE_URL = '', ORDER_LICENSE_API_KEY = '' } = process.env;
const client = createClient({ baseUrl: ORDER_LICENSE_BASE_URL, apiKey: ORDER_LICENSE_API_KEY });
const write = (data: object): void =>
  console.log(JSON.stringify({ data }, (name, value) => (name === 'masked_fields' ? undefined : value)));

for await (const { summary, order } of client.orderDetails({ limit: 20 })) {
  if (order === undefined) continue; // it can't be read
  write({ orders: [maskOrderSummary(summary, { personalData: true })] });
  write(maskOrder(order, { personalData: true }));
}
await client.close();
