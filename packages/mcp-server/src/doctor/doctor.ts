import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf, configurationError } from '@order-license/core/host';
import { isOrderLicenseError } from '@order-license/core/portable';
import { tryStore } from '../client/client.ts';
import { readConfig, type Settings } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { describeLoss, describeStore } from '../config/store-choice.ts';
import { variablesOnlyFor } from '../config/variables.ts';
import { openExportFile } from '../export/export-file.ts';
import { describeCallers } from '../http/describe-callers.ts';
import { type HttpOptions, readHttpOptions } from '../http/options.ts';
import type { ListenAddress } from '../server/listen.ts';
import { checkKeys } from './check-keys.ts';
import { checkSignIn } from './check-sign-in.ts';
import { type Finding, fail, ok, warn } from './findings.ts';

/**
 * Starts what the server would start, and reports one finding per check.
 * @param args nothing for stdio; `http` and its flags for HTTP
 * @returns the exit code: 1 if a check failed, otherwise 0
 */
export const runDoctor = async (
  args: readonly string[],
  env: Environment,
  report: (finding: Finding) => void,
): Promise<number> => {
  let hasFailed = false;
  for await (const finding of check(args, env)) {
    report(finding);
    hasFailed ||= finding.verdict === 'fail';
  }
  return hasFailed ? 1 : 0;
};

async function* check([command, ...flags]: readonly string[], env: Environment): AsyncGenerator<Finding> {
  try {
    if (command === 'http') yield* checkHttp(readHttpOptions(flags, env));
    else if (command === undefined) yield* checkStdio(env);
    else throw configurationError('`doctor` accepts only `http` and its flags as arguments', 'See --help.');
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    yield fail('configuration', error.message);
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
  yield* checkStore(config);
  if (config.exportFolder !== undefined) yield await checkExportFolder(config.exportFolder);
}

/** Begins an export and removes its file, because only this shows whether the folder is writable. */
const checkExportFolder = async (folder: string): Promise<Finding> => {
  try {
    const file = await openExportFile(folder, `orders_doctor_${randomBytes(4).toString('hex')}.csv.partial`);
    await file.discard();
    return ok('export', 'files can be written to the export folder');
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    return fail('export', error.message);
  }
};

async function* checkHttp(options: HttpOptions): AsyncGenerator<Finding> {
  yield describeSettings(options);
  yield ok('callers', describeCallers(options));
  yield* checkPort(options, '--port or --host');
  if (options.metrics) yield* checkPort(options.metrics, 'ORDER_LICENSE_METRICS');
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
  yield* checkStore(options);
}

/** Listens on an address for a moment. A port in use isn't a failure, because people diagnose a server that runs. */
async function* checkPort({ host, port }: ListenAddress, setting: string): AsyncGenerator<Finding> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    yield ok('port', `${port} on ${host} can be used`);
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    const problem = `${port} on ${host} cannot be used (${code}); change ${setting}`;
    yield code === 'EADDRINUSE' ? warn('port', `${problem}, unless this server is running`) : fail('port', problem);
  } finally {
    server.close();
  }
}

/** Opens the rate-limit store, even if no API key was checked. */
async function* checkStore(settings: Settings): AsyncGenerator<Finding> {
  const loss = await tryStore(settings);
  yield loss ? fail('store', describeLoss(loss)) : ok('store', describeStore(settings.store));
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
