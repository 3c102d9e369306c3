import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import { createStdioTransport } from './stdio-transport.ts';

/** Maximum time to wait for the client's first message, ms. */
const maxWaitMs = 10_000;

/**
 * Responds to an MCP client's requests with an error, until the client sends `initialize` or ends. Clients show that
 * error, but write stderr to a log that few people find.
 */
export const answerWithError = async (message: string): Promise<void> => {
  const transport = createStdioTransport();
  const timer = setTimeout(transport.close, maxWaitMs);
  transport.onclose = () => clearTimeout(timer);
  transport.onmessage = (request) => {
    if (!isJSONRPCRequest(request)) return;
    void transport.send({ jsonrpc: '2.0', id: request.id, error: { code: -32_603, message } }).catch(() => undefined);
    if (request.method !== 'initialize') return;
    delete transport.onmessage;
    void transport.close();
  };
  await transport.start();
};
