import type { ClientEvent, Drift, Order, OrderSummary } from '@order-license/core/portable';
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { codesOf, positionsOf } from '../shared/output';

/** What a run has to tell its user beside the items. */
export interface Notes {
  /** Takes in what the client does besides answering. */
  onEvent(event: ClientEvent): void;
  /** Takes in how the list moved while it was walked. */
  walked(drift: Drift | undefined): void;
  /** Takes in an order that was read whole. */
  read(order: Order): void;
  /** Takes in an order that could not be read and becomes an error item. */
  unread(order: OrderSummary): void;
  /** Shows it all above the output, at the end of the run. */
  publish(): void;
}

const longWaitMs = 5_000;
const seconds = (ms: number): number => Math.ceil(ms / 1000);

export const createNotes = (context: IExecuteFunctions): Notes => {
  const withoutCodes: string[] = [];
  const unread: string[] = [];
  let waitedMs = 0;
  let refused = 0;
  let moved: Drift | undefined;

  const hints = (): NodeExecutionHint[] => {
    const messages = [
      waitedMs > longWaitMs &&
        `Waited ${seconds(waitedMs)} s in all for the limit of requests per minute of this API key.${
          refused > 0 ? ' The service refused requests (429): something else spends the same API key.' : ''
        }`,
      unread.length > 0 && `Not read: ${listOf(unread)}. Each of them is an item with 'error'.`,
      moved && driftMessage(moved),
      withoutCodes.length > 0 && missingCodesMessage(withoutCodes),
    ];
    return messages
      .filter((message) => typeof message === 'string')
      .map((message) => ({ message, location: 'outputPane' }));
  };

  return {
    onEvent(event) {
      if (event.type === 'rate_limited') refused += 1;
      if (event.type === 'retry' && event.code !== 'rate_limited') {
        const { code, status, delayMs } = event;
        context.logger.info(`Order License tries again in ${seconds(delayMs)} s (${status ?? code})`);
      }
      if (event.type !== 'wait') return;
      waitedMs += event.waitMs;
      if (event.waitMs > longWaitMs) {
        context.logger.info(`Order License waits ${seconds(event.waitMs)} s for the limit of requests per minute`);
      }
    },
    walked(drift) {
      moved = drift ?? moved;
    },
    read(order) {
      if (order.status !== 'bezahlt' && order.status !== 'abgeschlossen') return;
      if (positionsOf(order).some((position) => codesOf(position).length === 0)) withoutCodes.push(order.bestellnummer);
    },
    unread({ bestellnummer }) {
      unread.push(bestellnummer);
    },
    publish() {
      const found = hints();
      // Not there before n8n 1.75.
      if (found.length > 0) context.addExecutionHints?.(...found);
    },
  };
};

const driftMessage = ({ totalAtStart, totalNow, repeated, stepsBack }: Drift): string => {
  const facts = [
    totalAtStart !== totalNow && `${totalAtStart ?? '?'} orders at the start, ${totalNow ?? '?'} at the end`,
    repeated > 0 && `${repeated} came again and were left out`,
    stepsBack > 0 && `${stepsBack} times a page was read again`,
  ];
  return `The list changed while it was read (${facts.filter(Boolean).join('; ')}). An order that came in meanwhile may be missing; run again to get it.`;
};

const missingCodesMessage = (orderNumbers: string[]): string =>
  `Paid or completed, but with a position that has no license codes yet: ${listOf(orderNumbers)}. Some goods never get codes; others follow later.`;

const listOf = (orderNumbers: string[]): string => {
  const shown = orderNumbers.slice(0, 5).join(', ');
  return orderNumbers.length > 5 ? `${shown} and ${orderNumbers.length - 5} more` : shown;
};
