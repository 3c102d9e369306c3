import { setTimeout } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import type { Order, OrderList } from '@order-license/core';
import { errorOfResult } from '../../servers/mcp-error.ts';
import { type Truth, wrongList, wrongOrder } from './truth.ts';

/** What the callers of one MCP server experienced. */
export interface CallerCount {
  /** Number of calls that succeeded. Each took one request. */
  answered: number;
  /** Number of calls that were rejected with `rate_limited`, to be retried later. */
  heldBack: number;
  /** Duration of the longest call. */
  longestMs: number;
  lastAnswerAt: number;
  /** Longest time between two results, ms. */
  longestGapMs: number;
}

export const newCallerCount = (): CallerCount => ({
  answered: 0,
  heldBack: 0,
  longestMs: 0,
  lastAnswerAt: performance.now(),
  longestGapMs: 0,
});

/** Updates the longest gap with the time since the last result. */
export const noteGap = (count: CallerCount): void => {
  count.longestGapMs = Math.max(count.longestGapMs, performance.now() - count.lastAnswerAt);
};

export interface Calling {
  truth: Truth;
  count: CallerCount;
  problems: string[];
  /** Aborts when the time is over, or on Ctrl-C. */
  ends: AbortSignal;
  isInterrupted(): boolean;
}

const perPage = 20;

/** Calls tools one after another without a pause. After a rejected call, waits as long as the error advises. */
export const callTools = async (
  client: Client,
  { truth, count, problems, ends, isInterrupted }: Calling,
): Promise<void> => {
  const pages = Math.ceil(truth.length / perPage);
  for (let turn = 0; !ends.aborted; turn++) {
    const page = 1 + (turn % pages);
    const [id] = truth[turn % truth.length] as Truth[number];
    const isList = turn % 5 === 0;
    const call = isList
      ? { name: 'order_license_list_orders', arguments: { page, per_page: perPage } }
      : { name: 'order_license_get_order', arguments: { id } };
    const from = performance.now();
    // Ctrl-C also ends the servers, so a call can fail without a defect.
    const answer = await client.callTool(call).catch((error: unknown) => {
      if (!isInterrupted()) throw error;
    });
    if (!answer) return;
    const now = performance.now();
    count.longestMs = Math.max(count.longestMs, now - from);
    if (answer.isError) {
      const { code, detail, retryAfterMs = 0 } = errorOfResult(answer);
      if (code !== 'rate_limited') problems.push(`${code}: ${detail}`);
      count.heldBack += 1;
      await setTimeout(retryAfterMs, undefined, { signal: ends }).catch(() => undefined);
      continue;
    }
    count.answered += 1;
    noteGap(count);
    count.lastAnswerAt = now;
    const { orders = [], ...order } = answer.structuredContent as unknown as Partial<OrderList> & Order;
    const ids = orders.map(({ id }) => id);
    const wrong = isList ? wrongList(truth, (page - 1) * perPage, perPage, ids) : wrongOrder(truth, id, order);
    if (wrong) problems.push(wrong);
  }
};
