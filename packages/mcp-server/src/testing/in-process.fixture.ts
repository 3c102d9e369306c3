import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { ToolSettings } from '../app/tool-settings.ts';
import { createMcpServer } from '../server/server.ts';

/**
 * Connects a client that reads the tools' schemas first, and checks every result against them. Calls don't close core's
 * client, so `openClient` can return the same client for each call.
 */
export const connectInProcess = async (
  openClient: ToolSettings['openClient'],
  masking = { licenseKeys: false, personalData: false },
  exportFolder?: string,
  more: Partial<ToolSettings> = {},
): Promise<Client> => {
  const openOne: ToolSettings['openClient'] = async (onEvent) => ({
    ...(await openClient(onEvent)),
    close: async () => undefined,
  });
  const server = createMcpServer({ masking, openClient: openOne, exportFolder, ...more });
  const [there, here] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  await client.listTools();
  return client;
};
