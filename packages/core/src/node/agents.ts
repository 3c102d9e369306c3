import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { OrderLicenseError } from '../base/errors.ts';

/**
 * Allows only HTTP/1.1, over which an aborted request closes its connection. Over HTTP/2, only the stream would end, so
 * every retry would reuse the connection that has just gone silent.
 */
const http1 = { allowH2: false };

let direct: Dispatcher | undefined;
let proxied: Dispatcher | undefined;

/**
 * Returns the process's connection pool, which uses the proxy in HTTPS_PROXY or HTTP_PROXY, if set. Plain HTTP bypasses
 * the proxy, which could read the API key.
 * @throws `configuration` if the proxy is not a valid address
 */
export const agentFor = (origin: string): Dispatcher => {
  const { env } = process;
  const proxy = env.HTTPS_PROXY ?? env.https_proxy ?? env.HTTP_PROXY ?? env.http_proxy;
  if (!proxy || origin.startsWith('http:')) {
    direct ??= new Agent(http1);
    return direct;
  }
  try {
    proxied ??= new EnvHttpProxyAgent({ ...http1, proxyTls: http1, clientFactory: connectToProxy });
    return proxied;
  } catch {
    throw proxyError(
      'HTTPS_PROXY or HTTP_PROXY is not a valid URL',
      'Set a URL such as http://proxy.example:3128, or unset the variable.',
    );
  }
};

const proxyError = (detail: string, advice: string) =>
  new OrderLicenseError('configuration', { detail, advice, reason: 'proxy', sent: false });

/** Thrown if the proxy cannot be reached, or responds to the tunnel request with a status other than 200. */
export class TunnelFailure extends Error {
  readonly why: number | string;

  /** @param why the status of the response, or an error code such as `ECONNREFUSED` */
  constructor(why: number | string) {
    super();
    this.why = why;
  }

  /** Creates a new error each time, because several requests may have waited for the same tunnel. */
  explain(): OrderLicenseError {
    const { why } = this;
    if (why === 407) {
      return proxyError(
        'The proxy in HTTPS_PROXY or HTTP_PROXY requires a valid user name and password (407)',
        "Set both in the proxy's address, as in http://user:password@proxy.example:3128.",
      );
    }
    if (typeof why === 'number' && why < 500) {
      return proxyError(
        `The proxy in HTTPS_PROXY or HTTP_PROXY does not allow connections to the API (${why})`,
        "Allow the API's address in the proxy, or list its host in NO_PROXY.",
      );
    }
    const fields = { reason: 'proxy', sent: false } as const;
    if (typeof why === 'number') {
      return new OrderLicenseError('connection', {
        detail: `The proxy in HTTPS_PROXY or HTTP_PROXY could not reach the API (${why})`,
        advice: 'Check the base URL and the proxy, then try again.',
        ...fields,
      });
    }
    return new OrderLicenseError('connection', {
      detail: `The proxy in HTTPS_PROXY or HTTP_PROXY could not be reached (${why})`,
      advice: "Check the proxy's address, or unset the variable, then try again.",
      ...fields,
    });
  }
}

/**
 * Connects to a proxy. If no tunnel opens, throws an error with the reason, which undici reports only in its message.
 */
const connectToProxy = (origin: URL, options: object): Dispatcher => {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  const connectOrExplain = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const response = await connect(options).catch((error: NodeJS.ErrnoException) => {
      throw error.code === undefined ? error : new TunnelFailure(error.code);
    });
    if (response.statusCode === 200) return response;
    response.socket.on('error', () => undefined).destroy();
    throw new TunnelFailure(response.statusCode);
  };
  return Object.assign(pool, { connect: connectOrExplain as Dispatcher['connect'] });
};
