import type { Environment } from '../config/environment.ts';
import { variablesOnlyFor } from '../config/variables.ts';
import { log, warnOfPlainHttp } from '../log/client-log.ts';
import { writeLine } from '../log/stderr.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import { onSignal } from '../server/on-signal.ts';
import { describeStart } from './describe-callers.ts';
import { mcpHandler } from './mcp-handler.ts';
import { readHttpOptions } from './options.ts';
import { serveHttp } from './serve.ts';

/**
 * Runs `order-license-mcp http`: serves until SIGHUP, SIGINT or SIGTERM, then finishes running requests. A second signal
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
    void server.close();
  });
  process.stdout.write(`order-license-mcp listens on ${server.url} (${describeStart(options)})\n`);
  if (metricsUrl) process.stdout.write(`Metrics: ${metricsUrl}\n`);
  if (options.store.kind === 'memory') return;
  const { tryStore } = await import('../client/stores.ts');
  await tryStore(options, log);
};
