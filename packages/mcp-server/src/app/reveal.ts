import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { orderShape } from '@order-license/core/masking';
import { type Client, isOrderLicenseError, type Order } from '@order-license/core/portable';
import { type Masking, showAnswer } from '../answers/masked-answer.ts';
import { codesOf, countCodes, fieldsOf, itemsOf } from '../answers/order-codes.ts';
import { errorMetaKey, errorResult } from '../answers/result.ts';
import { callerOf } from '../log/caller-of.ts';
import { logDefect } from '../log/defect.ts';
import { readTicket } from './tickets.ts';
import type { ToolSettings } from './tool-settings.ts';

/**
 * Reads the license codes of the ticket's order with one request to the service.
 * @throws ProtocolError if the ticket is refused or expired, or the service fails; `data` has the details
 */
export const reveal = async (
  uri: string,
  mcp: McpServer,
  ctx: ServerContext,
  { openClient, onCall, masking, card }: ToolSettings,
): Promise<ReadResourceResult> => {
  const startedAt = performance.now();
  let requests = 0;
  const end = (outcome: string, orderIds: (number | string)[] = [], codes = 0): void => {
    const ms = Math.round(performance.now() - startedAt);
    onCall?.({ event: 'reveal', outcome, orderIds, codes, ms, requests, ...callerOf(mcp, ctx) });
  };
  const ticket = card ? readTicket(uri, card) : 'refused';
  if (typeof ticket === 'string') {
    end(ticket);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusals[ticket], { reason: ticket });
  }
  let client: Client | undefined;
  try {
    client = await openClient((event) => {
      if (event.type === 'request' && event.sent) requests += 1;
    });
    const order = await client.getOrder(ticket.id, { signal: ctx.mcpReq.signal });
    const text = JSON.stringify(revealedOrder(order, masking));
    end('ok', [order.id], countCodes(order));
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  } catch (error) {
    const isKnown = isOrderLicenseError(error);
    end(isKnown ? error.code : 'internal', [ticket.id]);
    if (!isKnown) logDefect('A reveal', error);
    const { content, _meta } = errorResult(error, masking);
    const message = content.map((one) => (one.type === 'text' ? one.text : '')).join('');
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, _meta?.[errorMetaKey]);
  } finally {
    void client?.close();
  }
};

/** Doesn't say why a ticket is refused. */
const refusals = {
  expired: 'The order was read more than five minutes ago. Read it again to see its license keys.',
  refused: 'License keys are shown only in the order card. Read the order with get_order to show the card.',
} as const;

/** An order's license codes for a person; masked personal data stays masked. */
const revealedOrder = (order: Order, { personalData }: Masking): object => {
  const shown = showAnswer(order, orderShape, { licenseKeys: false, personalData }).shown as Order;
  const codes = itemsOf(shown).flatMap((item) =>
    codesOf(item).map((code) => ({ ...fieldsOf(code), product_name: item.product_name })),
  );
  return { id: order.id, codes };
};
