import type { MockServer } from '../packages/mock-api/src/index.ts';

/** A full order as the API sends it. */
export interface Order {
  id: number;
  bestellnummer: string;
  status: string;
  gesamtpreis_brutto: string;
  waehrung: string;
  billing_address: unknown;
  items: { id: number; product_name: string; menge: number; einzelpreis_brutto: string; license_codes: Code[] }[];
}

export interface Code {
  id: number;
  license_key: string;
  code_typ: string;
  aktivierungen_bestellung: number;
}

/** Reads the API's own responses without pacing, for comparison. */
export const readApi = (mock: MockServer, key: string) => {
  const read = async <T>(path: string): Promise<T> => {
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
    const response = await mock.fetch(`${mock.baseUrl}${path}`, { headers });
    return ((await response.json()) as { data: T }).data;
  };
  const order = (id: number) => read<Order>(`/orders/${id}`);
  return {
    read,
    me: () => read<{ company: string; vat_id: string }>('/me'),
    order,
    /** Reads each of the newest 50 orders in full, newest first, and adds its date from the list. */
    newest: async (): Promise<(Order & { created_at: string })[]> => {
      const { orders } = await read<{ orders: { id: number; created_at: string }[] }>('/orders?per_page=50');
      return Promise.all(orders.map(async ({ id, created_at }) => ({ ...(await order(id)), created_at })));
    },
  };
};
