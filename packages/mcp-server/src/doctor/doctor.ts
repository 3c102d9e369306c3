import { isOrderLicenseError } from '@order-license/core/portable';
import { readConfig, type Settings } from '../config/config.ts';
import { type Environment, misconfigured } from '../config/environment.ts';
import { httpVariables } from '../config/variables.ts';
import { describeCallers } from '../http/describe-callers.ts';
import { type HttpOptions, readHttpOptions } from '../http/options.ts';
import { checkKeys } from './check-keys.ts';
import { checkSignIn } from './check-sign-in.ts';
import { exitCodes, type Finding, type Say } from './findings.ts';

/**
 * Checks the server's configuration with one `GET /me` (§4.1) per API key, and reports the findings.
 * @param args nothing for stdio; `http` and its flags
 * @returns one of {@link exitCodes}
 */
export const runDoctor = async (
  args: readonly string[],
  env: Environment,
  report: (finding: Finding) => void,
): Promise<number> => {
  const say: Say = (verdict, topic, text) => report({ verdict, topic, text });
  const [command, ...flags] = args;
  try {
    if (command === 'http') return await checkHttp(readHttpOptions(flags, env), say);
    if (command !== undefined)
      throw misconfigured('`doctor` takes no arguments, or `http` and its flags', 'See --help.');
    const config = readConfig(env);
    saySettings(config, say);
    for (const name of httpVariables) {
      if (env[name]) say('warn', 'configuration', `${name} is not checked; to check it, run doctor http`);
    }
    return await checkKeys(new Map([[config.apiKey, undefined]]), config, say);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    say('fail', 'configuration', error.message);
    return exitCodes.misconfigured;
  }
};

const checkHttp = async (options: HttpOptions, say: Say): Promise<number> => {
  saySettings(options, say);
  say('ok', 'callers', describeCallers(options));
  const { exitCode, owners } = await checkSignIn(options, say);
  const { apiKey } = options;
  // The server's comes first, and has no owner, even if it is also a subject's.
  const own: [string, undefined][] = apiKey === undefined ? [] : [[apiKey, undefined]];
  const keys = new Map<string, string | undefined>([...own, ...owners, ...own]);
  if (keys.size === 0 && exitCode === exitCodes.healthy) {
    say('warn', 'address', 'not checked, because callers bring the API keys; set ORDER_LICENSE_API_KEY to check it');
  }
  return (await checkKeys(keys, options, say)) || exitCode;
};

const saySettings = ({ masking, orderCard, accessLog, requestsPerMinute }: Settings, say: Say): void => {
  const card = orderCard ? ' except in the order card' : '';
  const shown = [
    `license keys ${masking.licenseKeys ? 'masked' : 'shown'}${card}`,
    `personal data ${masking.personalData ? 'masked' : 'shown'}`,
    accessLog ? 'access log on stderr' : 'no access log',
    `at most ${requestsPerMinute} requests per minute`,
  ];
  say('ok', 'configuration', shown.join(', '));
};
