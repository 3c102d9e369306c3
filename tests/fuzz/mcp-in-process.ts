import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Client as ApiClient } from '@order-license/core/portable';
import { createMcpServer } from '../../packages/mcp-server/src/server/server.ts';

export interface InProcess {
  call(name: string, args: unknown): Promise<{ text: string; isError: boolean; structured: unknown }>;
  close(): Promise<void>;
}

/** The MCP server in this process, with a client that checks every answer against the listed schemas. */
export const connectInProcess = async (open: () => ApiClient, maskKeys: boolean): Promise<InProcess> => {
  const server = createMcpServer({ maskKeys, openClient: async () => open() });
  const [there, here] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  await client.listTools();
  return {
    async call(name, args) {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: args as never });
      const [first] = content;
      if (first?.type !== 'text' || content.length !== 1) throw new Error('Not one piece of text.');
      return { text: first.text, isError: isError === true, structured: structuredContent };
    },
    close: () => client.close(),
  };
};

/** An error result says its code first, briefly. `internal` would be a defect. */
export const isNamedError = (text: string): boolean =>
  text.length < 2_000 &&
  /^(bad_request|authentication|not_business_account|not_found|rate_limited|server|connection|timeout|aborted|invalid_response): /.test(
    text,
  );
