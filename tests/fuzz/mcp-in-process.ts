import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Client as ApiClient } from '@order-license/core/portable';
import { createMcpServer } from '../../packages/mcp-server/src/server/server.ts';
import { errorOfResult, type McpError } from '../servers/mcp-error.ts';

export interface InProcess {
  /** Throws for an error that is not a named one, or is too long. */
  call(name: string, args: unknown): Promise<{ text: string; isError: boolean; structured: unknown }>;
  close(): Promise<void>;
}

/** The MCP server in this process, with a client that validates every answer against the listed schemas. */
export const connectInProcess = async (open: () => ApiClient, maskKeys: boolean): Promise<InProcess> => {
  const server = createMcpServer({
    masking: { licenseKeys: maskKeys, personalData: false },
    openClient: async () => open(),
  });
  const [there, here] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  await client.listTools();
  return {
    async call(name, args) {
      const { content, isError, structuredContent, _meta } = await client.callTool({ name, arguments: args as never });
      const [first] = content;
      if (first?.type !== 'text' || content.length !== 1) throw new Error('The answer is not a single text.');
      if (isError) checkError(first.text, errorOfResult({ _meta }));
      return { text: first.text, isError: isError === true, structured: structuredContent };
    },
    close: () => client.close(),
  };
};

/** `internal` would be a defect, and nothing is configured here. */
const checkError = (text: string, { code }: McpError): void => {
  if (code === 'internal' || code === 'configuration') throw new Error(`Defect: ${text.slice(0, 300)}`);
  if (text.length >= 2_000) throw new Error(`An error of ${text.length} characters.`);
};
