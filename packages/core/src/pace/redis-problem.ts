import { codeOf } from '../base/checks.ts';
import { trustCa } from '../base/host-errors.ts';

/**
 * What to do about a known error, by its code or message; the first match applies. With `tls`, only for an address that
 * uses TLS or, if false, doesn't.
 */
const help: readonly (readonly [error: RegExp, advice: string, tls?: boolean])[] = [
  [
    /^NOPERM|ACL failure|can't run this command/,
    'the user needs the rights `~order-license:* +eval +get +set +time`, and `+select` for any database but 0',
  ],
  [/^(WRONGPASS|NOAUTH|ERR.* AUTH)/, 'the user name or the password is wrong or missing, or Redis expects none'],
  [/^READONLY/, 'this Redis is a replica; use the address of the primary'],
  [
    /^(MOVED|ASK|CROSSSLOT|CLUSTERDOWN)|in cluster mode/,
    'the address belongs to one node of a cluster; use a Redis without a cluster or, in your own program, pass a function of a cluster client as `redis`',
  ],
  [/unknown command/, 'this server lacks a command; if it is a Sentinel, use the address of the Redis server'],
  [/DB index/, 'this Redis has no database with this number'],
  [/max number of clients/, 'this Redis has too many clients'],
  [/SELF_SIGNED|UNABLE_TO/, `the certificate is not trusted; ${trustCa}`],
  [/ETIMEDOUT|ECONNRESET|_SSL_|EPROTO|closed/, 'this port may not use TLS; try `redis://`', true],
  [/ECONNRESET|closed/, 'this port may require TLS; try `rediss://`', false],
];

/**
 * Describes why Redis cannot be used, and what to do. Shows only the code of an error, such as `ECONNREFUSED` or, at
 * the start of a reply, `WRONGPASS`: the rest could contain a password.
 * @param tls whether the address uses TLS; undefined for the caller's own client
 */
export const redisProblem = (error: unknown, tls: boolean | undefined): string => {
  const { message = '' } = Object(error) as Partial<Error>;
  const code = codeOf(error) ?? '';
  if (code.endsWith('MODULE_NOT_FOUND')) return 'Redis: the package that `client` imports is not installed';
  const [, advice] = help.find(([pattern, , only = tls]) => only === tls && pattern.test(code || message)) ?? [];
  // biome-ignore lint/plugin: Redis says what is wrong only in the text of a reply
  const word = code || /^[A-Z][A-Z_]+(?= )/.exec(message)?.[0];
  const what = word ? `Redis: ${word}` : 'Redis cannot be used';
  return advice ? `${what}; ${advice}` : what;
};
