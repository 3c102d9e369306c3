import type { Environment } from '../config/environment.ts';
import type { StoreLoss } from '../config/store-choice.ts';
import { variablesOnlyFor } from '../config/variables.ts';
import { log, warnOfPlainHttp } from '../log/client-log.ts';
import { giveUpUnreadLines, writeLine } from '../log/stderr.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import { onSignal } from '../server/on-signal.ts';
import { describeStart } from './describe-callers.ts';
import { mcpHandler } from './mcp-handler.ts';
import { type HttpOptions, readHttpOptions } from './options.ts';
import { serveHttp } from './serve.ts';

/**
 * Runs `order-license-mcp http`: serves until a signal asks it to end, then finishes running requests. A second signal
 * ends the process at once.
 * @throws `configuration`, for example if the port is in use
 */
export const runHttp = async (args: readonly string[], env: Environment): Promise<void> => {
  const options = readHttpOptions(args, env);
  const metrics = createMetrics();
  const metricsUrl = options.metrics && (await serveMetrics(options.metrics, metrics));
  const server = await serveHttp(options, mcpHandler(options, metrics));
  warnOfPlainHttp(options);
  for (const name of variablesOnlyFor('stdio'))
    if (env[name] !== undefined) writeLine(`${name} has no effect over http.`);
  let isClosing = false;
  onSignal((end) => {
    if (isClosing) end();
    isClosing = true;
    void server.close().then(giveUpUnreadLines);
  });
  const loss = await storeLoss(options);
  process.stdout.write(`order-license-mcp listens on ${server.url} (${describeStart(options, loss)})\n`);
  if (metricsUrl) process.stdout.write(`Metrics: ${metricsUrl}\n`);
};

const storeLoss = async (options: HttpOptions): Promise<StoreLoss | undefined> => {
  if (options.store.kind === 'memory') return undefined;
  const { tryStore } = await import('../client/client.ts');
  const loss = await tryStore(options);
  if (loss) log(loss);
  return loss;
};
