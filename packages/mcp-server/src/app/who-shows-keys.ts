import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { keysAdvice } from '../answers/masked-answer.ts';
import { showsApps } from './mcp-apps.ts';

const masked = 'License keys are masked: **** stands for a key.';
const cardAdvice = `${masked} The person sees them in the order card of get_order, under "Reveal"; you don't. Never ask for a key, and never guess or complete one.`;
const noCardAdvice = `${masked} People see them in the order card or in the customer account. The card needs a client that declares MCP Apps, over HTTP with protocol revision 2026-07-28 or newer; this client does not. Never guess or complete a key.`;

/**
 * Who can show masked keys to a user of this client.
 * @param hasCard whether this server shows them in the order card
 */
export const whoShowsKeys = (hasCard: boolean, server: McpServer, ctx: ServerContext): string => {
  if (!hasCard) return keysAdvice;
  return showsApps(server, ctx) ? cardAdvice : noCardAdvice;
};
