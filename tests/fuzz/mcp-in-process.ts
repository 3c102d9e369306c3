import type { Client } from '@order-license/core/portable';
import { connectInProcess as connect, type InProcess } from '../servers/mcp-in-process.ts';

/** Connects to an MCP server in this process. A call throws if its error has no documented code or is too long. */
export const connectInProcess = async (open: () => Client, maskKeys: boolean): Promise<InProcess> => {
  const server = await connect(async () => open(), maskKeys);
  return {
    ...server,
    async call(name, args) {
      const answer = await server.call(name, args);
      const { text, error } = answer;
      // `internal` means a bug. `configuration` must not occur either, because nothing is configured here.
      if (error?.code === 'internal' || error?.code === 'configuration')
        throw new Error(`Defect: ${text.slice(0, 300)}`);
      if (error && text.length >= 2_000) throw new Error(`An error of ${text.length} characters.`);
      return answer;
    },
  };
};
