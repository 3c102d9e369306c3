import {
  type Client,
  createClient,
  isOrderLicenseError,
  maskOrder,
  type Order,
  toMinorUnits,
} from '@order-license/core';
import { createClient as createFetchClient } from '@order-license/core/fetch';
import packageJson from '@order-license/core/package.json' with { type: 'json' };
import { createClient as createPortableClient, type Host } from '@order-license/core/portable';
import { orderSchema } from '@order-license/core/schema';

const service = { baseUrl: 'https://shop.example/api/v1', apiKey: 'a-key' };
const client: Client = createClient({ ...service, rateLimit: { requests: 30 } });
declare const host: Host;
const onFetch: Client = createFetchClient(service);
const portable: Client = createPortableClient({ ...service, host });

export const readOrder = async (id: number): Promise<{ order: Order; cents: bigint }> => {
  try {
    const order = await (packageJson.version ? client : orderSchema ? onFetch : portable).getOrder(id);
    return { order, cents: toMinorUnits(order.gesamtpreis_brutto) };
  } catch (error) {
    if (isOrderLicenseError(error)) console.error(error.code, error.attempts);
    throw error;
  }
};

export const masked = (order: Order) => maskOrder(order);

// @ts-expect-error an amount is a string, never a number
export const amount = (order: Order): number => order.gesamtpreis_brutto;
