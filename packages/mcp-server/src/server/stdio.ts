import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { openClient } from '../client/one-call.ts';
import type { Config } from '../config/config.ts';
import { createAccessLog, shortHash } from '../log/access-log.ts';
import { warnOfPlainHttp } from '../log/client-log.ts';
import { writeLine } from '../log/stderr.ts';
import { messageLines } from './message-lines.ts';
import { createMcpServer } from './server.ts';

const maxMessageMiB = 10;

/** Serves over stdin and stdout until the client ends them; exit code 1 after a message that is too long. */
export const runStdio = (config: Config): void => {
  const { stdin, stdout } = process;
  warnOfPlainHttp(config);
  let isClientGone = false;
  // Before the SDK listens, which closes at once. Afterwards stdout does not show that it failed.
  stdout.once('error', () => {
    isClientGone = true;
  });
  const maxBufferSize = maxMessageMiB * 1024 * 1024;
  const lines = stdin.pipe(messageLines(stdout, maxBufferSize));
  const transport = new StdioServerTransport(lines, stdout, { maxBufferSize });
  const onCall = config.accessLog ? createAccessLog({ key: shortHash(config.apiKey) }) : undefined;
  const { masking, orderCard, apiKey, exportFolder } = config;
  const card = orderCard ? { apiKey } : undefined;
  const createOne = () =>
    createMcpServer({
      openClient: (onEvent, traceparent) => openClient(config, onEvent, traceparent),
      masking,
      card,
      onCall,
      exportFolder,
    });
  serveStdio(createOne, { transport, maxSubscriptions: 0 });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    stdin.unpipe(lines).pause(); // nothing else keeps the process alive
    if (stdin.readableEnded || stdin.destroyed || isClientGone) return;
    // The SDK closes by itself only for this reason: it can't find the end of the message.
    writeLine(
      `${new Date().toISOString()} from stdin: a message is longer than ${maxMessageMiB} MiB, so the server ends; start it again.`,
    );
    process.exitCode = 1;
  };
};
