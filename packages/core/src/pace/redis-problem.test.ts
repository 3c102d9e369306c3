import { expect, test } from 'vitest';
import { redisProblem } from './redis-problem.ts';

const rights =
  'the user needs the rights `~order-license:* +eval +get +set +time`, and `+select` for any database but 0';
const cluster = expect.stringContaining('the address belongs to one node of a cluster; use a Redis without a cluster');

test.each([
  ["NOPERM this user has no permissions to run the 'eval' command", `Redis: NOPERM; ${rights}`],
  ["ERR The user executing the script can't run this command or subcommand", `Redis: ERR; ${rights}`],
  ["ERR ACL failure in script: User a has no permissions to run the 'get' command", `Redis: ERR; ${rights}`],
  ['NOAUTH Authentication required.', expect.stringMatching(/^Redis: NOAUTH; the user name or the password/)],
  ['ERR AUTH <password> called without any password configured', expect.stringMatching(/or Redis expects none$/)],
  ['READONLY You can’t write', 'Redis: READONLY; this Redis is a replica; use the address of the primary'],
  ['MOVED 1180 10.0.0.7:6379', cluster],
  ['CLUSTERDOWN Hash slot not served', cluster],
  ['ERR SELECT is not allowed in cluster mode', cluster],
  ["ERR unknown command 'get', with args", expect.stringContaining('Redis: ERR; this server lacks a command; if it')],
  ['ERR DB index is out of range', 'Redis: ERR; this Redis has no database with this number'],
  ['ERR max number of clients reached', 'Redis: ERR; this Redis has too many clients'],
  ['OOM command not allowed', 'Redis: OOM'],
])('for the reply %o, names the code and says what to do', (reply, problem) => {
  expect(redisProblem(new Error(reply), undefined)).toEqual(problem);
});

const failure = (code: string, message = 'to 10.0.0.7') => Object.assign(new Error(message), { code });

test.each([
  [failure('ECONNRESET'), false, 'Redis: ECONNRESET; this port may require TLS; try `rediss://`'],
  [new Error('Socket closed unexpectedly'), false, 'Redis cannot be used; this port may require TLS; try `rediss://`'],
  [failure('ETIMEDOUT'), true, 'Redis: ETIMEDOUT; this port may not use TLS; try `redis://`'],
  [failure('ERR_SSL_WRONG_VERSION_NUMBER'), true, expect.stringContaining('try `redis://`')],
  [failure('ETIMEDOUT'), false, 'Redis: ETIMEDOUT'],
  [failure('ECONNRESET'), undefined, 'Redis: ECONNRESET'],
  [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), true, expect.stringContaining('NODE_USE_SYSTEM_CA=1')],
])('for %s, with TLS %s, says which scheme to try', (error, tls, problem) => {
  expect(redisProblem(error, tls)).toEqual(problem);
});
