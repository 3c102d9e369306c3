import { configurationError } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { readConfig, type Settings } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { variablesOnlyFor } from '../config/variables.ts';
import { describeCallers } from '../http/describe-callers.ts';
import { type HttpOptions, readHttpOptions } from '../http/options.ts';
import { checkKeys } from './check-keys.ts';
import { checkSignIn } from './check-sign-in.ts';
import { exitCodes, type Finding, fail, ok, warn } from './findings.ts';

/**
 * Checks the server's configuration with one `GET /me` (§4.1) per API key, and reports the findings.
 * @param args nothing for stdio; `http` and its flags for HTTP
 * @returns one of {@link exitCodes}: that of the first failure
 */
export const runDoctor = async (
  args: readonly string[],
  env: Environment,
  report: (finding: Finding) => void,
): Promise<number> => {
  let exitCode: number = exitCodes.healthy;
  for await (const finding of check(args, env)) {
    report(finding);
    exitCode ||= finding.exitCode;
  }
  return exitCode;
};

async function* check([command, ...flags]: readonly string[], env: Environment): AsyncGenerator<Finding> {
  try {
    if (command === 'http') yield* checkHttp(readHttpOptions(flags, env));
    else if (command === undefined) yield* checkStdio(env);
    else throw configurationError('`doctor` accepts only `http` and its flags as arguments', 'See --help.');
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    yield fail('configuration', error.message, exitCodes.misconfigured);
  }
}

async function* checkStdio(env: Environment): AsyncGenerator<Finding> {
  const config = readConfig(env);
  yield describeSettings(config);
  for (const name of variablesOnlyFor('http')) {
    if (env[name])
      yield warn('configuration', `${name} is not checked; to check it, run order-license-mcp doctor http`);
  }
  yield* checkKeys(new Map([[config.apiKey, undefined]]), config);
}

async function* checkHttp(options: HttpOptions): AsyncGenerator<Finding> {
  yield describeSettings(options);
  yield ok('callers', describeCallers(options));
  const owners = yield* checkSignIn(options);
  const { apiKey } = options;
  // The server's own key comes first and has no owner, even if a subject has the same key.
  const own: [string, undefined][] = apiKey === undefined ? [] : [[apiKey, undefined]];
  const keys = new Map<string, string | undefined>([...own, ...(owners ?? []), ...own]);
  if (keys.size === 0 && owners) {
    yield warn(
      'address',
      'not checked, because callers send the API keys; to check the address, set ORDER_LICENSE_API_KEY',
    );
  }
  yield* checkKeys(keys, options);
}

const describeSettings = ({ masking, orderCard, accessLog, requestsPerMinute }: Settings): Finding => {
  const card = orderCard ? ' except in the order card' : '';
  const shown = [
    `license keys ${masking.licenseKeys ? 'masked' : 'shown'}${card}`,
    `personal data ${masking.personalData ? 'masked' : 'shown'}`,
    accessLog ? 'access log on stderr' : 'no access log',
    `at most ${requestsPerMinute} requests per minute`,
  ];
  return ok('configuration', shown.join(', '));
};
