import type { OrderList, OrderSummary } from '@order-license/core';
import { type CommandOptions, connectStdio, passMinute } from '../servers/mcp-command.ts';
import { errorOfResult, type McpError } from '../servers/mcp-error.ts';
import type { EntryPoint, Outcome } from './entry-point.ts';
import { joinParts, type OrderPart } from './order-tables.ts';

/** Returns an order without the server's advice. */
const withoutAdvice = ({ advice, ...order }: { advice?: unknown }): object => order;

/** The three tools of the built MCP server over stdio, with the SDK's client. */
export const openMcpServer = async (options: CommandOptions): Promise<EntryPoint> => {
  const { client, pid } = await connectStdio(options);
  const call = async (tool: string, args: Record<string, unknown>): Promise<Outcome> => {
    const { isError, structuredContent, content, _meta } = await client.callTool({ name: tool, arguments: args });
    const [first, ...more] = content;
    if (more.length > 0) throw new Error(`${tool} answered in ${content.length} pieces.`);
    if (isError) return readRejection(errorOfResult({ _meta }));
    if (first?.type !== 'text' || first.text !== JSON.stringify(structuredContent))
      throw new Error(`${tool} returns different content in its two formats.`);
    return { data: structuredContent };
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
    pass: () => passMinute(pid, client),
    close: () => client.close(),
  };
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const given = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

const readRejection = ({ code, detail, serverText }: McpError): Outcome => {
  if (code === 'internal') throw new Error(detail);
  return { rejected: code, ...(serverText !== undefined && { serverText }) };
};
