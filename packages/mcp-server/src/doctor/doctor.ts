import { createNodeHost } from '@order-license/core';
import type { Host } from '@order-license/core/host';
import {
  type ClientEvent,
  createClient,
  type ErrorCode,
  isOrderLicenseError,
  maskUser,
  type OnEvent,
  type OrderLicenseError,
  type User,
} from '@order-license/core/portable';
import { userSchema } from '@order-license/core/schema';
import { masksAnything } from '../answers/masked-answer.ts';
import { openStore } from '../client/stores.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { describeStore } from '../config/store-choice.ts';
import { userAgent } from '../config/version.ts';
import { exitCodes, type Finding, type Topic } from './findings.ts';

/** What a failure of the one request says, and about what. */
const diagnoses: Partial<Record<ErrorCode, readonly [topic: Topic, exitCode: number]>> = {
  connection: ['address', exitCodes.notReached],
  timeout: ['address', exitCodes.notReached],
  invalid_response: ['address', exitCodes.notReached],
  authentication: ['API key', exitCodes.keyRefused],
  not_business_account: ['account', exitCodes.notBusinessAccount],
  rate_limited: ['limit', exitCodes.rateLimited],
};

/** A clock further off than this, ms, makes certificates look expired or not yet valid. */
const worryingDriftMs = 60_000;

type Say = (verdict: Finding['verdict'], topic: Topic, text: string) => void;

/**
 * Checks configuration, address, key, account, clock and rate-limit store with one `GET /me` (§4.1), and reports what it finds about each.
 * @returns one of {@link exitCodes}
 */
export const runDoctor = async (env: Environment, report: (finding: Finding) => void): Promise<number> => {
  const say: Say = (verdict, topic, text) => report({ verdict, topic, text });
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    say('fail', 'configuration', error.message);
    return exitCodes.misconfigured;
  }
  const { masking, orderCard, accessLog, requestsPerMinute } = config;
  const keys = masking.licenseKeys ? 'masked' : 'shown';
  const shownTo = orderCard ? ' for the assistant, shown to people in the order card of clients with MCP Apps' : '';
  const shown = `license keys ${keys}${shownTo}, personal data ${masking.personalData ? 'masked' : 'shown'}`;
  say(
    'ok',
    'configuration',
    `${shown}, ${accessLog ? 'access log on stderr' : 'no access log'}, at most ${requestsPerMinute} requests per minute`,
  );
  return checkService(config, say);
};

const checkService = async (config: Config, say: Say): Promise<number> => {
  const { baseUrl, allowHttpHosts, apiKey, requestsPerMinute } = config;
  const events: ClientEvent[] = [];
  const store = openStore(config, (event) => events.push(event));
  const answered: { date?: string } = {};
  const client = createClient({
    baseUrl,
    allowHttpHosts,
    apiKey,
    onEvent: sayPlainHttp(say),
    host: noteDate(createNodeHost(), answered),
    ...(store ? { store: store } : { rateLimit: { requests: requestsPerMinute } }),
    retries: 0,
    maxWaitMs: 0,
    timeoutMs: 15_000,
    userAgent,
  });
  try {
    const user = await client.getMe();
    say('ok', 'address', baseUrl);
    say('ok', 'API key', 'accepted');
    sayAccount(user, config, say);
    return exitCodes.healthy;
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    return sayFailure(error, config, say);
  } finally {
    sayClock(answered.date, say);
    sayStore(config, events, say);
    await store?.close();
  }
};

const sayPlainHttp =
  (say: Say): OnEvent =>
  (event) => {
    if (event.type === 'plain_http') say('warn', 'address', `API keys and answers go to ${event.host} in clear text`);
  };

/** The same host, which notes what time the service thinks it is. */
const noteDate = (host: Host, answered: { date?: string }): Host => ({
  ...host,
  async send(request) {
    const response = await host.send(request);
    const date = [response.headers.date].flat()[0];
    if (date !== undefined) answered.date = date;
    return response;
  },
});

const sayAccount = (user: User, { masking }: Config, say: Say): void => {
  const isMasked = masksAnything(masking);
  const odd = new Set(userSchema.safeParse(user).error?.issues.map(({ path }) => path.join('.')));
  if (odd.size > 0)
    say(
      'warn',
      'account',
      `differs from the API text at ${[...odd].join(', ')}; the tools ${isMasked ? 'mask it' : 'give it on as it is'}`,
    );
  const { company, vat_id, api_version } = isMasked ? maskUser(user, masking) : user;
  const named = [company, vat_id].filter((text) => typeof text === 'string' && text !== '').map(cut);
  say('ok', 'account', `${named.join(', ') || 'without company and VAT ID'}; API version ${cut(api_version)}`);
};

const cut = (text: unknown): string => String(text).slice(0, 100);

const sayFailure = (error: OrderLicenseError, { baseUrl, masking }: Config, say: Say): number => {
  const { code, reason, message, serverText } = error;
  const [topic, exitCode] =
    (reason === 'proxy' ? diagnoses.connection : diagnoses[code]) ?? (['service', exitCodes.serviceFailed] as const);
  if (topic === 'address') say('fail', topic, `${baseUrl}: ${message}`);
  else {
    say('ok', 'address', baseUrl);
    if (topic === 'account') say('ok', 'API key', 'accepted');
    say('fail', topic, message);
  }
  // They could hold anything.
  if (serverText && !masksAnything(masking)) say('warn', 'service', `says ${JSON.stringify(serverText)}`);
  return exitCode;
};

const sayClock = (date: string | undefined, say: Say): void => {
  const drift = Date.now() - Date.parse(date ?? '');
  if (Number.isNaN(drift)) say('ok', 'clock', 'not compared, since the service did not send its time');
  else if (Math.abs(drift) < worryingDriftMs) say('ok', 'clock', 'within a minute of the time of the service');
  else {
    const minutes = Math.round(Math.abs(drift) / 60_000);
    say(
      'warn',
      'clock',
      `${minutes} min ${drift > 0 ? 'ahead of' : 'behind'} the service; set the clock of this machine`,
    );
  }
};

const sayStore = ({ store }: Config, events: readonly ClientEvent[], say: Say): void => {
  const lost = events.find((event) => event.type === 'store_unavailable');
  if (lost)
    say(
      'warn',
      'store',
      `cannot be used (${lost.problem}); requests are counted in memory, at most ${lost.requests} per minute; check ORDER_LICENSE_STORE`,
    );
  else say('ok', 'store', describeStore(store));
};
