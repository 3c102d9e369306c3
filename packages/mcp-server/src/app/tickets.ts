import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { orderIdPattern } from '@order-license/core/host';
import type { Order, OrderId } from '@order-license/core/portable';
import { countCodes } from '../answers/order-tables.ts';
import { type Ticket, ticketUriPrefix } from './mcp-apps.ts';

/** The holder of a ticket: only calls with this API key and subject may use the ticket. */
export interface TicketHolder {
  apiKey: string;
  /** The signed-in subject; undefined without sign-in. */
  subject?: string | undefined;
}

const lifetimeMs = 5 * 60_000;

const ticketUri = new RegExp(`^${ticketUriPrefix}(${orderIdPattern})/([1-9]\\d{0,11})/([\\w-]{43})$`);

/** Returns a ticket for each order that has license codes. */
export const ticketsFor = (orders: readonly Order[], holder: TicketHolder): Ticket[] =>
  orders.filter((order) => countCodes(order) > 0).flatMap(({ id }) => issueTicket(id, holder) ?? []);

/**
 * Creates a ticket that expires after five minutes.
 * @returns undefined for an order with an invalid ID
 */
export const issueTicket = (id: OrderId, holder: TicketHolder): Ticket | undefined => {
  // The time is in whole seconds, so that `expires_at` and the signed time are the same.
  const expiresAt = Math.floor((Date.now() + lifetimeMs) / 1000);
  const uri = `${ticketUriPrefix}${id}/${expiresAt}/${sign(String(id), expiresAt, holder)}`;
  if (!ticketUri.test(uri)) return undefined;
  return { id, uri, expires_at: new Date(expiresAt * 1000).toISOString() };
};

/**
 * Checks a ticket.
 * @returns the order's ID, or why the ticket is invalid: `expired` for a ticket of this holder, `rejected` for any
 * other
 */
export const readTicket = (uri: string, holder: TicketHolder): { id: string } | 'expired' | 'rejected' => {
  const [, id, expiresAt, signature] = ticketUri.exec(uri) ?? [];
  if (id === undefined || signature === undefined) return 'rejected';
  // Signatures are compared as text, because different texts can decode to the same bytes.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(id, Number(expiresAt), holder)))) return 'rejected';
  return Date.now() < Number(expiresAt) * 1000 ? { id } : 'expired';
};

/** Signs a ticket. Replicas create the same signature, because they have the same API key. */
const sign = (id: string, expiresAt: number, { apiKey, subject }: TicketHolder): string => {
  const secret = hkdfSync('sha256', apiKey, '', 'order-license-mcp ticket 1', 32);
  return createHmac('sha256', Buffer.from(secret))
    .update(JSON.stringify([id, expiresAt, subject ?? null]))
    .digest('base64url');
};
