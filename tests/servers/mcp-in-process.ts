import type { Tool } from '@modelcontextprotocol/client';
import type { ToolSettings } from '../../packages/mcp-server/src/app/tool-settings.ts';
import { connectInProcess as connect } from '../../packages/mcp-server/src/testing/in-process.fixture.ts';
import { errorOfResult, type McpError } from './mcp-error.ts';

/** The result of a tool call: its text, and the parts that a program reads. */
export interface InProcessAnswer {
  text: string;
  structured: unknown;
  error: McpError | undefined;
}

export interface InProcess {
  /** Calls a tool. Throws if the call's error is a bug or too long. */
  call(name: string, args: unknown): Promise<InProcessAnswer>;
  /** Returns everything that a model reads before its first call. */
  describe(): Promise<{ tools: Tool[]; instructions: string }>;
  close(): Promise<void>;
}

/** Connects to an MCP server in this process. The client validates every result against the listed schemas. */
export const connectInProcess = async (
  openClient: ToolSettings['openClient'],
  maskKeys = false,
  exportFolder?: string,
): Promise<InProcess> => {
  const client = await connect(openClient, { licenseKeys: maskKeys, personalData: false }, exportFolder);
  return {
    async call(name, args) {
      const { content, isError, structuredContent, _meta } = await client.callTool({ name, arguments: args as never });
      const [first] = content;
      if (first?.type !== 'text' || content.length !== 1) throw new Error('The result is not a single text.');
      const error = isError ? errorOfResult({ _meta }) : undefined;
      // `internal` means a bug, and no test configures anything that is wrong.
      if (error && ['internal', 'configuration'].includes(error.code)) throw new Error(first.text.slice(0, 300));
      if (error && first.text.length >= 2_000) throw new Error(`An error of ${first.text.length} characters.`);
      return { text: first.text, structured: structuredContent, error };
    },
    describe: async () => ({
      tools: (await client.listTools()).tools,
      instructions: client.getInstructions() ?? '',
    }),
    close: () => client.close(),
  };
};
