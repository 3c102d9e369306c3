import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { marker } from '@order-license/core/masking';
import { keysAdvice } from '../answers/masked-answer.ts';

// Names from the MCP Apps extension. They are copied, because the package @modelcontextprotocol/ext-apps 2.0.4 takes
// 542 kB.
const extension = 'io.modelcontextprotocol/ui';
export const appMimeType = 'text/html;profile=mcp-app';
/** The extension that a server with an order card announces to its clients. */
export const appExtension = { [extension]: { mimeTypes: [appMimeType] } };

export const cardUri = 'ui://order-license/order-card.html';

/** The `_meta` key under which a result contains its {@link Ticket}s. */
export const ticketsMetaKey = 'io.github.order-license/tickets';

export const ticketUriPrefix = 'order-license://keys/';

/** A ticket, with which the caller who received it can read the license codes of one order. */
export interface Ticket {
  /** ID of the order. */
  id: number | string;
  /** Address of the resource with the order's license codes. */
  uri: string;
  /** Time at which the ticket expires, as an ISO 8601 timestamp in UTC. */
  expires_at: string;
}

/**
 * Whether this client declares support for MCP Apps. Clients with protocol revision 2026-07-28 declare support in every
 * request. Older clients declare it when a session begins, and over HTTP this server has no sessions.
 */
export const showsApps = ({ server }: McpServer, { mcpReq }: ServerContext): boolean => {
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const declared = envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  const { mimeTypes } = declared?.extensions?.[extension] ?? {};
  return Array.isArray(mimeTypes) && mimeTypes.includes(appMimeType);
};

const masked = `License keys are masked: ${marker} stands for a key.`;
const cardAdvice = `${masked} The user sees the keys in the order card that order_license_get_order shows, under "Reveal"; you don't. Never ask for a key, and never guess or complete one.`;
const noCardAdvice = `${masked} The user can see the keys in the customer account. This client cannot show them in the order card, because it does not declare support for MCP Apps. Over HTTP, only clients with protocol revision 2026-07-28 or newer can declare this support. Never guess or complete a key.`;

/**
 * Describes how a user of this client can see masked license keys.
 * @param hasCard whether this server shows the keys in the order card
 */
export const whoShowsKeys = (hasCard: boolean, server: McpServer, ctx: ServerContext): string => {
  if (!hasCard) return keysAdvice;
  return showsApps(server, ctx) ? cardAdvice : noCardAdvice;
};
