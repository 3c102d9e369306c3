import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openClient } from '../client/one-call.ts';
import type { Config } from '../config/config.ts';
import { createAccessLog, shortHash } from '../log/access-log.ts';
import { warnOfPlainHttp } from '../log/client-log.ts';
import { createMcpServer } from './server.ts';
import { createStdioTransport } from './stdio-transport.ts';

/**
 * Serves over stdin and stdout, or another transport, until the client closes it. A message that is too long sets exit
 * code 1.
 */
export const runStdio = (config: Config, transport: Transport = createStdioTransport()): void => {
  warnOfPlainHttp(config);
  const onCall = config.accessLog ? createAccessLog({ key: shortHash(config.apiKey) }) : undefined;
  const { masking, orderCard, apiKey, exportFolder } = config;
  const card = orderCard ? { apiKey } : undefined;
  const createOne = () =>
    createMcpServer({
      openClient: (onEvent) => openClient(config, onEvent),
      masking,
      card,
      onCall,
      exportFolder,
    });
  serveStdio(createOne, { transport, maxSubscriptions: 0 });
};
