import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { orderShape } from '@order-license/core/masking';
import type { Order } from '@order-license/core/portable';
import { type Masking, showAnswer } from '../answers/masked-answer.ts';
import { codesOf, countCodes, fieldsOf, itemsOf } from '../answers/order-tables.ts';
import { errorMetaKey, errorResult } from '../answers/result.ts';
import { beginCall, readOptions } from '../client/one-call.ts';
import { readTicket } from './tickets.ts';
import type { ToolSettings } from './tool-settings.ts';

/**
 * Reads the ticket's order from the API, and returns its license codes.
 * @throws ProtocolError if the ticket is rejected or expired, or the API fails; `data` has the details
 */
export const reveal = async (
  uri: string,
  mcp: McpServer,
  ctx: ServerContext,
  settings: ToolSettings,
): Promise<ReadResourceResult> => {
  const { masking, card, isOperatorsKey } = settings;
  const call = beginCall(settings, mcp, ctx, { event: 'reveal' });
  const ticket = card ? readTicket(uri, card) : 'rejected';
  if (typeof ticket === 'string') {
    call.end(ticket);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, rejections[ticket], { reason: ticket });
  }
  try {
    const client = await call.open();
    const order = await client.getOrder(ticket.id, readOptions(call));
    const text = JSON.stringify(revealedOrder(order, masking));
    call.record([order], countCodes(order));
    call.end('ok');
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  } catch (error) {
    call.record([ticket]);
    call.fail(error);
    const { content, _meta } = errorResult(error, masking, isOperatorsKey);
    const message = content.map((one) => (one.type === 'text' ? one.text : '')).join('');
    throw new ProtocolError(ProtocolErrorCode.InternalError, message, _meta?.[errorMetaKey]);
  }
};

/** The messages for invalid tickets. The one for a rejected ticket does not say what is wrong with the ticket. */
const rejections = {
  expired: 'The order was read more than five minutes ago. Read it again to see its license keys.',
  rejected:
    'License keys are shown only in the order card. Read the order with order_license_get_order to show the card.',
} as const;

/** Returns an order with its license codes, to be shown to a person; masked personal data stays masked. */
const revealedOrder = (order: Order, { personalData }: Masking): object => {
  const { shown } = showAnswer(order, orderShape, { licenseKeys: false, personalData });
  const codes = itemsOf(shown).flatMap((item) =>
    codesOf(item).map((code) => ({ ...fieldsOf(code), product_name: item.product_name })),
  );
  return { id: order.id, codes };
};
