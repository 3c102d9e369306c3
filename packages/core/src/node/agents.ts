import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { OrderLicenseError } from '../base/errors.ts';

/**
 * HTTP/1.1 only: an aborted request then closes its connection. Over HTTP/2 only the stream would end, so every retry
 * would reuse the connection that just went silent.
 */
const http1 = { allowH2: false };

let direct: Dispatcher | undefined;
let proxied: Dispatcher | undefined;

/**
 * One connection pool for the process, through a proxy if HTTPS_PROXY or HTTP_PROXY is set. Plain HTTP bypasses the
 * proxy, which could read the API key.
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
      'HTTPS_PROXY or HTTP_PROXY is not an address',
      'Set an address such as http://proxy.example:3128, or unset it.',
    );
  }
};

const proxyError = (detail: string, advice: string) =>
  new OrderLicenseError('configuration', { detail, advice, reason: 'proxy', sent: false });

/** A proxy answered the tunnel request with a status other than 200. */
export class TunnelRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super();
    this.status = status;
  }

  /** A new error each time: several requests may have waited for the same tunnel. */
  explain(): OrderLicenseError {
    if (this.status === 407) {
      return proxyError(
        'The proxy in HTTPS_PROXY or HTTP_PROXY requires a valid user name and password (407)',
        'Set them as in http://user:password@proxy.example:3128.',
      );
    }
    if (this.status < 500) {
      return proxyError(
        `The proxy in HTTPS_PROXY or HTTP_PROXY refuses to connect to the service (${this.status})`,
        'Allow the address in the proxy, or exclude it with NO_PROXY.',
      );
    }
    return new OrderLicenseError('connection', {
      detail: `The proxy in HTTPS_PROXY or HTTP_PROXY could not reach the service (${this.status})`,
      advice: 'Check the base URL and the proxy, then try again.',
      reason: 'proxy',
      sent: false,
    });
  }
}

/** undici reports the status of a refused tunnel only in its error message. */
const connectToProxy = (origin: URL, options: object): Dispatcher => {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  const connectOrExplain = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const answer = await connect(options);
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw new TunnelRefusal(answer.statusCode);
  };
  return Object.assign(pool, { connect: connectOrExplain as Dispatcher['connect'] });
};
