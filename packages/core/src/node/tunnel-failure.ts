import { OrderLicenseError } from '../base/errors.ts';
import { proxyError } from './proxy-settings.ts';

/** Thrown if the proxy cannot be reached, or does not open a tunnel to the API. */
export class TunnelFailure extends Error {
  readonly variable: string;
  readonly why: number | string;

  /**
   * @param variable the variable of the environment that names the proxy
   * @param why the HTTP status of the response, or an error code such as `ECONNREFUSED`
   */
  constructor(variable: string, why: number | string) {
    super();
    this.variable = variable;
    this.why = why;
  }

  /** Creates a new error each time, because several requests may have waited for the same tunnel. */
  explain(): OrderLicenseError {
    const { variable, why } = this;
    const fields = { reason: 'proxy', sent: false } as const;
    if (why === 407 || String(why).startsWith('UND_ERR_SOCKS5_AUTH')) {
      return proxyError(
        `The proxy in ${variable} requires a valid user name and password (${why})`,
        "Set both in the proxy's address, as in http://user:password@proxy.example:3128.",
      );
    }
    if ((typeof why === 'number' && why < 500) || why === socksForbidden) {
      return proxyError(
        `The proxy in ${variable} does not allow connections to the API (${why})`,
        "Allow the API's address in the proxy, or list its host in NO_PROXY.",
      );
    }
    if (typeof why === 'number' || why.startsWith('UND_ERR_SOCKS5_REPLY')) {
      return new OrderLicenseError('connection', {
        detail: `The proxy in ${variable} could not reach the API (${why})`,
        advice: 'Check the base URL and the proxy, then try again.',
        ...fields,
      });
    }
    return new OrderLicenseError('connection', {
      detail: `The proxy in ${variable} could not be reached (${why})`,
      advice: "Check the proxy's address, or unset the variable, then try again.",
      ...fields,
    });
  }
}

/** The SOCKS5 reply "connection not allowed by ruleset". */
const socksForbidden = 'UND_ERR_SOCKS5_REPLY_2';
