import {
  type ClientEvent,
  hasLicenseCodes,
  type Order,
  type OrderSummary,
  type Totals,
  type WalkGap,
} from '@order-license/core/portable';
import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { codesOf, lineItemsOf } from '../../shared/output';

const longWaitMs = 5_000;
const seconds = (ms: number): number => Math.ceil(ms / 1000);

/** Collects the hints that n8n shows above a run's output: waits, gaps in the list, orders that need a look. */
export const createExecutionHints = (context: IExecuteFunctions) => {
  const withoutCodes: string[] = [];
  const unread: string[] = [];
  let waitedMs = 0;
  let rejected = 0;
  const gaps = new Set<WalkGap>();
  let notInTotals = 0;

  /**
   * Logs a message during the run, because n8n shows hints only afterwards. In a manual run, n8n also shows the message
   * in the browser's console.
   */
  const tell = (message: string): void => {
    context.logger.info(`Order License: ${message}`);
    context.sendMessageToUI(`Order License: ${message}`);
  };

  const hints = (noItems: string | false): NodeExecutionHint[] => {
    const messages = [
      waitedMs > longWaitMs &&
        `Waited ${seconds(waitedMs)} s in total for the rate limit of this API key.${
          rejected > 0
            ? ' The API returned 429, so something else probably uses the same API key. Create a separate API key for each program.'
            : ''
        }`,
      unread.length > 0 &&
        `Orders that could not be read: ${listOf(unread)}. The output has an item with an 'error' field for each.`,
      gaps.size > 0 && `Orders may be missing: ${[...gaps].map((gap) => gapReasons[gap]).join('; ')}.`,
      notInTotals > 0 &&
        `Orders with an unreadable amount, currency or date: ${notInTotals}. Turn off 'Simplify' to see which.`,
      withoutCodes.length > 0 &&
        `Paid or completed orders with a line item that has no license codes yet: ${listOf(withoutCodes)}. Some products never get license codes.`,
      noItems,
    ];
    return messages.filter((message) => message !== false).map((message) => ({ message, location: 'outputPane' }));
  };

  return {
    /** Counts waits and 429s, and logs long waits and retries. */
    onEvent(event: ClientEvent): void {
      if (event.type === 'rate_limited') rejected += 1;
      if (event.type === 'retry' && event.code !== 'rate_limited') {
        const { code, status, delayMs } = event;
        tell(`retrying in ${seconds(delayMs)} s (${status ?? code})`);
      }
      if (event.type === 'request') waitedMs += event.waitMs;
      if (event.type !== 'wait') return;
      const { waitMs } = event;
      if (waitMs > longWaitMs) tell(`waiting at least ${seconds(waitMs)} s for the rate limit of this API key`);
    },
    /** Adds reasons why orders may be missing from the list. */
    addGaps(found: readonly WalkGap[]): void {
      for (const gap of found) gaps.add(gap);
    },
    /** Adds why orders may be missing from totals, and the number of unreadable orders. */
    addTotals(totals: Totals): void {
      this.addGaps(totals.gaps);
      notInTotals += totals.unreadable.length;
    },
    /** Checks whether a full order lacks license codes; a hint then names the order. */
    addOrder(order: Order): void {
      if (!hasLicenseCodes(order.status)) return;
      if (lineItemsOf(order).some((item) => codesOf(item).length === 0)) withoutCodes.push(order.bestellnummer);
    },
    /** Adds an order that could not be read; a hint names the order. */
    addUnreadOrder({ bestellnummer }: OrderSummary): void {
      unread.push(bestellnummer);
    },
    /**
     * Passes the hints to n8n at the end of the run.
     * @param noItems why the run has no items, if it has none. n8n itself adds how the workflow can continue.
     */
    publish(noItems: string | false): void {
      const found = hints(noItems);
      // n8n versions before 1.75 have no hints.
      if (found.length > 0) context.addExecutionHints?.(...found);
    },
  };
};

export type ExecutionHints = ReturnType<typeof createExecutionHints>;

/** Says that nothing was found. @param output the choice in *Output* */
export const nothingFound = (output: unknown): string =>
  nothing[output as keyof typeof nothing] ?? 'No orders were found.';

const nothing = {
  licenseCodes: 'No license codes were found. Only paid and completed orders have license codes.',
  lineItems: 'No line items were found.',
};

const gapReasons: Record<WalkGap, string> = {
  unsorted: 'the API does not sort its list by date',
  undated: 'the date of an order cannot be read',
  unseen: 'the API returned fewer orders than it counts, or a wrong page',
  ties: 'more orders were created in one second than fit in one response',
  removed: 'orders were removed from the list while it was read',
};

const listOf = (orderNumbers: string[]): string => {
  const shown = orderNumbers.slice(0, 5).join(', ');
  return orderNumbers.length > 5 ? `${shown} and ${orderNumbers.length - 5} more` : shown;
};
