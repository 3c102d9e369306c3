import { createServer } from 'node:http';
import { configurationError } from '@order-license/core/host';
import { type ListenAddress, listen } from '../server/listen.ts';
import type { Metrics } from './metrics.ts';

/**
 * Reads the address for metrics. Metrics have their own port, so that the MCP port can be public.
 * @throws `configuration` unless the text is a port, or a host and a port
 */
export const readMetricsAddress = (text: string | undefined): ListenAddress | undefined => {
  if (text === undefined) return undefined;
  const [, host, port] = /^(?:(\[[\da-f:.]+\]|[\w.-]+)?:)?(\d{1,5})$/i.exec(text) ?? [];
  if (port !== undefined && Number(port) <= 65_535) {
    return { host: host?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port: Number(port) };
  }
  throw configurationError(
    'ORDER_LICENSE_METRICS must be a port, or a host and a port, such as 9464 or 0.0.0.0:9464',
    'Without a host, only this machine can read the metrics.',
  );
};

/**
 * Serves `/metrics` without a token. Neither keeps the process running nor keeps connections open.
 * @returns the address
 * @throws `configuration` if the address cannot be used
 */
export const serveMetrics = async (address: ListenAddress, metrics: Metrics): Promise<string> => {
  const server = createServer(({ url = '', method = '' }, response) => {
    const isAsked = /^\/metrics\/?(\?|$)/.test(url) && ['GET', 'HEAD'].includes(method);
    const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', connection: 'close' };
    response.writeHead(isAsked ? 200 : 404, headers);
    response.end(isAsked ? metrics.text() : 'Use GET /metrics.\n');
  }).unref();
  return `${await listen(server, address, 'ORDER_LICENSE_METRICS')}/metrics`;
};
