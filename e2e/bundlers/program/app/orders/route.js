import { readOrders } from '../../read-orders.js';

/** A route of a Next.js server, which reads the orders when it is requested. */
export const GET = async (request) => {
  const { baseUrl, apiKey, path } = Object.fromEntries(new URL(request.url).searchParams);
  return Response.json(await readOrders({ baseUrl, apiKey }, path));
};
