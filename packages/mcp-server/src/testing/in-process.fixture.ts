import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { createMcpServer } from '../server/server.ts';
import type { ToolSettings } from '../tools/tool.ts';

/** A client that knows the listed schemas, so it checks every answer against them. */
export const connectInProcess = async (
  openClient: ToolSettings['openClient'],
  masking = { licenseKeys: false, personalData: false },
): Promise<Client> => {
  const server = createMcpServer({ masking, openClient });
  const [there, here] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  await client.listTools();
  return client;
};
