import type { OrderSummary } from '@order-license/core';
import type { MockServer } from '@order-license/mock-api';
import { plantedKey } from '@order-license/testing/canary';
import { readWire } from '../consistency/wire.ts';
import { connectStdio, passMinute } from '../servers/mcp-command.ts';
import { errorOfResult, type McpError } from '../servers/mcp-error.ts';
import { strikes } from './fault-cases.ts';
import { answered, type Subject, type SubjectOptions } from './subject.ts';

/** Starts the built MCP server over stdio, with a clock that runs 25 times as fast. */
export const openMcpServer = async (service: MockServer, { canary }: SubjectOptions): Promise<Subject> => {
  const options = { baseUrl: service.baseUrl, apiKey: plantedKey, clock: 25 };
  const { client, pid } = await connectStdio(options, {}, canary.other);
  const newest = service.state.orders('business').page(0, 1)[0]?.id;
  const lastPage = await readWire(service, '/orders?page=3&per_page=50');
  const last = (lastPage?.orders as OrderSummary[] | undefined)?.at(-1);

  /** Calls a tool. @returns the parts of the error; undefined if the call succeeded */
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<McpError | undefined> => {
    const { isError, content, structuredContent, _meta } = await client.callTool({ name, arguments: args });
    const [first] = content;
    if (first?.type !== 'text' || content.length > 1) throw new Error('The result is not a single text.');
    if (!isError) canary.answer([structuredContent, content]);
    else canary.other([content, _meta]);
    return isError ? errorOfResult({ _meta }) : undefined;
  };

  /** Advances the server's clock minute by minute, until a call succeeds again after a 429. */
  const recover = async (): Promise<void> => {
    let failed: McpError | undefined;
    for (let minute = 0; minute < 20; minute++) {
      await passMinute(pid, client);
      failed = await call('order_license_get_me');
      if (failed === undefined) return;
    }
    throw new Error(`It does not recover: ${failed?.code}`);
  };

  return {
    title: 'The MCP server',
    about:
      'A client calls `order_license_get_order` twice by ID, and once by order number. The search by number reads three pages of the list, with the fault from the second page on, and then the order. A call ends within 45 s, so it makes only the first of several waits. It reports a 429 at once.',
    columns: {
      once: 'once',
      always: 'always',
      onceUnderWay: 'once in a search',
      alwaysUnderWay: 'for the rest of a search',
    },
    async run(rule, strike) {
      const underWay = 'skip' in strikes[strike];
      const before = service.journal.total();
      service.faults.add(rule);
      const failed = underWay
        ? await call('order_license_get_order', { order_number: last?.bestellnummer })
        : ((await call('order_license_get_order', { id: newest })) ??
          (await call('order_license_get_order', { id: newest })));
      const retries = service.journal.total() - before - (underWay ? 4 : 2);
      service.faults.clear();
      await recover();
      if (failed === undefined) return answered(rule, retries);
      return `\`${failed.code}\``;
    },
    close: () => client.close(),
  };
};
