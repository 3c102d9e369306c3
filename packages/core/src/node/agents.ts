import { getDefaultAutoSelectFamily, getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { proxyFor } from './proxy-settings.ts';

// Entry point for the MCP server, too; not published.
export { tunnelError } from './tunnel-error.ts';

const connections = {
  // Over HTTP/1.1, an aborted request closes its connection. Over HTTP/2, only the stream would end, so every retry would
  // reuse the connection that has just gone silent.
  allowH2: false,
  // By default, Node gives up on one of a host's addresses after 250 ms, so over a slow link, or if a packet is lost,
  // every address can fail. Node's flags can turn this off or set a longer time.
  autoSelectFamily: getDefaultAutoSelectFamily(),
  autoSelectFamilyAttemptTimeout: Math.max(1_500, getDefaultAutoSelectFamilyAttemptTimeout()),
};

/** A connection pool. */
interface Route {
  agent: Dispatcher;
  /** The environment variable that names the proxy. */
  variable?: string | undefined;
}

/** The process's connection pools, by origin. */
const routes = new Map<string, Route>();

/**
 * Returns the process's connection pool for `origin`. It uses the proxy that the environment names when the pool is
 * created, with the first request.
 * @throws `configuration` if the environment names the proxy, or the hosts without one, in an invalid way
 */
export const routeTo = (origin: string): Route => {
  // Before undici reuses a connection, it waits for `setImmediate`, and would wait forever if a test has replaced it.
  // The fake timers of Sinon, vitest and Jest have a `clock`.
  const isFaked = 'clock' in setImmediate;
  const key = `${isFaked} ${origin}`;
  const route = routes.get(key) ?? createRoute(origin, isFaked ? { ...connections, pipelining: 0 } : connections);
  routes.set(key, route);
  return route;
};

const createRoute = (origin: string, options: Agent.Options): Route => {
  const { variable, url } = proxyFor(origin) ?? {};
  if (!url) return { agent: new Agent(options) };
  // To an HTTPS proxy that offers HTTP/2, undici would by default open no tunnel.
  return { agent: new ProxyAgent({ ...options, uri: url.href, proxyTls: connections }), variable };
};
