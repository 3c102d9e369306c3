import type { Socket } from 'node:net';
import { Agent, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent } from 'undici';
import { type ProxySetting, proxyFor } from './proxy-settings.ts';
import { TunnelFailure } from './tunnel-failure.ts';

export { TunnelFailure };

/**
 * Allows only HTTP/1.1, over which an aborted request closes its connection. Over HTTP/2, only the stream would end, so
 * every retry would reuse the connection that has just gone silent.
 */
const http1 = { allowH2: false };

/** The process's connection pools, by origin. */
const agents = new Map<string, Dispatcher>();

/**
 * Returns the process's connection pool for `origin`. It uses the proxy that the environment names when the pool is
 * created, with the first request.
 * @throws `configuration` if the environment names the proxy, or the hosts without one, in an invalid way
 */
export const agentFor = (origin: string): Dispatcher => {
  // Before undici reuses a connection, it waits for `setImmediate`, and would wait for ever if a test has replaced it.
  // The fake timers of Sinon, vitest and Jest have a `clock`.
  const isFaked = 'clock' in setImmediate;
  const key = `${isFaked} ${origin}`;
  const agent = agents.get(key) ?? createAgent(proxyFor(origin), isFaked ? { ...http1, pipelining: 0 } : http1);
  agents.set(key, agent);
  return agent;
};

const createAgent = (proxy: ProxySetting | undefined, options: Agent.Options): Dispatcher => {
  if (!proxy) return new Agent(options);
  const { variable, url } = proxy;
  if (url.protocol.startsWith('socks')) return createSocksAgent(variable, url);
  return new ProxyAgent({ ...options, uri: url.href, proxyTls: http1, clientFactory: connectThrough(variable) });
};

/**
 * Returns a function that connects to an HTTP proxy. If no tunnel opens, the connection fails with the reason, which
 * undici reports only in its message.
 */
const connectThrough =
  (variable: string) =>
  (origin: URL, options: object): Dispatcher => {
    const pool = new Pool(origin, options);
    const connect = pool.connect.bind(pool) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
    const connectOrExplain = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
      const response = await connect(options).catch(failWith(variable));
      if (response.statusCode === 200) return response;
      response.socket.on('error', () => undefined).destroy();
      throw new TunnelFailure(variable, response.statusCode);
    };
    return Object.assign(pool, { connect: connectOrExplain as Dispatcher['connect'] });
  };

/** Creates an agent for a SOCKS5 proxy, which resolves the API's name itself, also without the `h` of `socks5h`. */
const createSocksAgent = (variable: string, url: URL): Dispatcher => {
  const agent = new Socks5ProxyAgent(url.href.replace('socks5h:', 'socks5:')) as SocksAgent;
  const connect = agent.createSocks5Connection.bind(agent);
  return Object.assign(agent, {
    createSocks5Connection: (host: string, port: number) => connect(host, port).catch(failWith(variable)),
  });
};

/** A method that undici's types omit. */
type SocksAgent = Socks5ProxyAgent & { createSocks5Connection(host: string, port: number): Promise<Socket> };

const failWith =
  (variable: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw error.code === undefined ? error : new TunnelFailure(variable, error.code);
  };
