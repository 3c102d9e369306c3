import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import type { OpenClient } from '../client/open-client.ts';
import { createServer } from '../server/server.ts';

/** A client that knows the listed schemas, so it checks every answer against them. */
export const connectInProcess = async (openClient: OpenClient, maskKeys = false): Promise<Client> => {
  const server = createServer({ maskKeys, openClient });
  const [there, here] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  await client.listTools();
  return client;
};
