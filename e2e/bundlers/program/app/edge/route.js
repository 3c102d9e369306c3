import { createClient } from '@order-license/core';

export const runtime = 'edge';

/** A route in Next.js's edge runtime, which has only the platform's `fetch`. */
export const GET = async (request) => {
  const { baseUrl, apiKey } = Object.fromEntries(new URL(request.url).searchParams);
  const orders = [];
  for await (const { id } of createClient({ baseUrl, apiKey }).orders({ limit: 60 })) orders.push(id);
  return Response.json(orders.length);
};
