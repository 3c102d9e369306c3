import { createClient, type ErrorCode, type OrderList, type OrderSummary } from '@order-license/core';
import type { McpError } from '../servers/mcp-error.ts';
import { connectInProcess } from '../servers/mcp-in-process.ts';
import type { EntryPoint, Outcome } from './entry-point.ts';
import { joinParts, type OrderPart } from './order-tables.ts';

/** Returns an order without the server's advice. */
const withoutAdvice = ({ advice, ...order }: { advice?: unknown }): object => order;

/** The three tools of the MCP server, with the SDK's client. */
export const openMcpServer = async ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<EntryPoint> => {
  const core = createClient({ baseUrl, apiKey, rateLimit: { requests: 1_000_000, minGapMs: 0 } });
  const server = await connectInProcess(async () => core);
  const call = async (tool: string, args: Record<string, unknown>): Promise<Outcome> => {
    const { text, structured, error } = await server.call(tool, args);
    if (error) return readRejection(error);
    if (text !== JSON.stringify(structured)) throw new Error(`${tool} returns different content in its two formats.`);
    return { data: structured };
  };
  /**
   * Does what an assistant does when asked for all orders: reads pages 1 to `pages` (§4.2.3), and returns each order
   * once.
   */
  const list = async (status: unknown): Promise<Outcome> => {
    const all = new Map<unknown, OrderSummary>();
    for (let page = 1; ; page++) {
      const answer = await call('order_license_list_orders', given({ page, per_page: 20, status }));
      if (!('data' in answer)) return answer;
      const { orders, pagination } = answer.data as OrderList;
      for (const order of orders) if (!all.has(order.id)) all.set(order.id, order);
      if (page >= pagination.pages) return { data: [...all.values()] };
    }
  };
  /** Does what an assistant does when asked for all license codes: follows `continue` to the end. */
  const getOrder = async (id: unknown): Promise<Outcome> => {
    const parts: OrderPart[] = [];
    for (let next: object | undefined = given({ id }); next; next = parts.at(-1)?.continue) {
      const part = await call('order_license_get_order', { ...next });
      if (!('data' in part) || !isObject(part.data)) return part;
      if (!('complete' in part.data)) return { ...part, data: withoutAdvice(part.data) };
      parts.push(part.data as unknown as OrderPart);
    }
    return { data: joinParts(parts), isJoined: true };
  };
  return {
    name: 'MCP server',
    visibleTextOnly: true,
    getMe: () => call('order_license_get_me', {}),
    list,
    page: ({ page, perPage, status }) => call('order_license_list_orders', given({ page, per_page: perPage, status })),
    getOrder,
    close: server.close,
  };
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const given = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

const readRejection = ({ code, serverText }: McpError): Outcome => ({
  rejected: code as ErrorCode,
  ...(serverText !== undefined && { serverText }),
});
