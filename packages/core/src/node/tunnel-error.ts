import { codeOf } from '../base/checks.ts';
import { type ErrorCode, OrderLicenseError } from '../base/errors.ts';

/** By the status of the proxy's response or the error code; the first match applies. */
const failures: readonly (readonly [whys: RegExp, code: ErrorCode, what: string, advice: string])[] = [
  [
    /^407$/,
    'configuration',
    'requires a valid user name and password',
    "Set both in the proxy's address, as in http://user:password@proxy.example:3128.",
  ],
  [
    /^[1-4]\d\d$/,
    'configuration',
    'does not allow connections to the API',
    "Allow the API's address in the proxy, or list its host in NO_PROXY.",
  ],
  [/^\d/, 'connection', 'could not reach the API', 'Check the base URL and the proxy, then try again.'],
  // Any other code comes from TLS: the tunnel is open.
  [
    /^UND_ERR_(?:PRX|CONNECT|ABORTED)|^E(?!RR_|PROTO)/,
    'connection',
    'could not be reached',
    "Check the proxy's address, or unset the variable, then try again.",
  ],
];

/**
 * Returns the error of a request that was not sent because the proxy opened no tunnel to the API; undefined for any
 * other failure.
 * @param variable the environment variable that names the proxy
 */
export const tunnelError = (variable: string, error: unknown): OrderLicenseError | undefined => {
  // undici names the status only in its message.
  const [, status] = /^Proxy response \((\d+)\)/.exec(error instanceof Error ? error.message : '') ?? [];
  const why = status ?? codeOf(error) ?? '';
  const [, code, what, advice] = failures.find(([whys]) => whys.test(why)) ?? [];
  return (
    code &&
    new OrderLicenseError(code, {
      detail: `The proxy in ${variable} ${what} (${why})`,
      advice,
      reason: 'proxy',
      sent: false,
    })
  );
};
