import { codeOf } from '../base/checks.ts';
import { trustCa } from '../base/host-errors.ts';

/** What helps against a known error, by its code and message; the first match applies. */
const help: readonly (readonly [error: RegExp, advice: string])[] = [
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
  [/unknown command/, 'this server lacks a command; it may be a Sentinel: use the address of the Redis itself'],
  [/DB index/, 'this Redis has no database with this number'],
  [/max number of clients/, 'this Redis has too many clients'],
  [/SELF_SIGNED|UNABLE_TO/, `the certificate is not trusted; ${trustCa}`],
  [/^(EACCES|EPERM)/, 'the file or its folder belongs to another user, such as root; change the owner or the path'],
];

const noTls = [/ETIMEDOUT|ECONNRESET|_SSL_|EPROTO|closed/, 'this port may not use TLS; try `redis://`'] as const;
const onlyTls = [/ECONNRESET|closed/, 'this port may require TLS; try `rediss://`'] as const;

/**
 * Describes why a store cannot be used, and what helps. Of an error of Redis or its client, shows only the code, such as
 * `ECONNREFUSED` or, at the start of a reply, `WRONGPASS`: the rest could contain a password.
 * @param store the path of the SQLite file; or for Redis, whether the address uses TLS, undefined for the caller's own
 * client
 */
export const storeProblem = (error: unknown, store: { path: string } | { tls: boolean | undefined }): string => {
  const { message = '' } = Object(error) as Partial<Error>;
  const code = codeOf(error) ?? '';
  if (code.endsWith('MODULE_NOT_FOUND')) return 'Redis: the package that `client` imports is not installed';
  const all = 'path' in store || store.tls === undefined ? help : [...help, store.tls ? noTls : onlyTls];
  const advice = all.find(([pattern]) => pattern.test(code || message))?.[1];
  // biome-ignore lint/plugin: Redis says what is wrong only in the text of a reply
  const word = code || /^[A-Z][A-Z_]+(?= )/.exec(message)?.[0];
  const what = 'path' in store ? `${store.path}: ${message}` : word ? `Redis: ${word}` : 'Redis cannot be used';
  return advice ? `${what}; ${advice}` : what;
};
