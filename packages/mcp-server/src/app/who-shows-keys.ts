import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { keysAdvice } from '../answers/masked-answer.ts';
import { showsApps } from './mcp-apps.ts';

const masked = 'License keys are masked: **** stands for a key.';
const cardAdvice = `${masked} The person sees them in the order card of get_order, under "Reveal"; you do not. Never ask for a key, and never guess or complete one.`;
const noCardAdvice = `${masked} A person sees them in the order card, which this client has not said that it shows: a client with MCP Apps shows it, over HTTP from protocol revision 2026-07-28 on. They are in the customer account as well. Never guess or complete a key.`;

/**
 * Where keys are masked, who can show them to a user of this client.
 * @param hasCard whether this server shows them in the order card
 */
export const whoShowsKeys = (hasCard: boolean, server: McpServer, ctx: ServerContext): string => {
  if (!hasCard) return keysAdvice;
  return showsApps(server, ctx) ? cardAdvice : noCardAdvice;
};
