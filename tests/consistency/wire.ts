import type { MockServer } from '@order-license/mock-api';

type Json = Record<string, unknown>;

/** Reads from the API without our code. Returns the `data` of a 200; undefined for any other response. */
export const readWire = async (service: MockServer, path: string): Promise<Json | undefined> => {
  const response = await fetch(service.baseUrl + path, {
    headers: { accept: 'application/json', authorization: `Bearer ${service.keys.business}` },
    redirect: 'manual',
  });
  const body = await response.arrayBuffer();
  if (response.status !== 200) return undefined;
  return (JSON.parse(new TextDecoder().decode(body)) as { data: Json }).data;
};

/** Reads all orders, page by page (§4.2.3); returns undefined if the list cannot be read. */
export const walkWire = async (service: MockServer, status?: string): Promise<Json[] | undefined> => {
  const all: Json[] = [];
  for (let page = 1; ; page++) {
    const data = await readWire(service, `/orders?page=${page}&per_page=50${status ? `&status=${status}` : ''}`);
    if (!data) return undefined;
    all.push(...(data.orders as Json[]));
    const { pages } = data.pagination as { pages?: number | null };
    if (typeof pages !== 'number') return undefined;
    if (page >= pages) return all;
  }
};
