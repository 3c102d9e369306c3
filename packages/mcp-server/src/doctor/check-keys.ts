import { type ErrorCode, maskUser, type OrderLicenseError, type User } from '@order-license/core/portable';
import { userSchema } from '@order-license/core/schema';
import { masksAnything } from '../answers/masked-answer.ts';
import type { Settings } from '../config/config.ts';
import { describeStore } from '../config/store-choice.ts';
import { shortHash } from '../log/access-log.ts';
import { type AccountAnswer, askAccount } from './ask-account.ts';
import { exitCodes, type Say, type Topic } from './findings.ts';

/** An API key, and its owners if it isn't the server's. */
export interface KeyToCheck {
  apiKey: string;
  owner?: string;
}

/** Topic and exit code of each error of the request. */
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

/**
 * Checks address, keys, accounts, clock and store with one request per key; an unreachable address ends the checks.
 * @returns the exit code of the first failure
 */
export const checkKeys = async (keys: readonly KeyToCheck[], settings: Settings, say: Say): Promise<number> => {
  let exitCode: number = exitCodes.healthy;
  let first: AccountAnswer | undefined;
  for (const { apiKey, owner } of keys) {
    const answer = await askAccount({ ...settings, apiKey });
    const of = owner === undefined ? '' : `of ${owner}: `;
    const sayKey: Say = (verdict, topic, text) => say(verdict, topic, topic === 'address' ? text : of + text);
    if (!first) {
      for (const event of answer.events) {
        if (event.type === 'plain_http')
          say('warn', 'address', `API keys and answers go to ${event.host} in clear text`);
      }
    }
    const code = sayOutcome(answer, apiKey, settings, sayKey, first === undefined);
    exitCode ||= code;
    first ??= answer;
    if (code === exitCodes.notReached) break;
  }
  if (first) {
    sayClock(first, say);
    sayStore(first, settings, say);
  } else say('ok', 'store', describeStore(settings.store));
  return exitCode;
};

const sayOutcome = (
  { outcome }: AccountAnswer,
  apiKey: string,
  settings: Settings,
  say: Say,
  isFirst: boolean,
): number => {
  const { baseUrl, accessLog } = settings;
  const accepted = accessLog ? `accepted; ${shortHash(apiKey)} in the access log` : 'accepted';
  if ('user' in outcome) {
    if (isFirst) say('ok', 'address', baseUrl);
    say('ok', 'API key', accepted);
    sayAccount(outcome.user, settings, say);
    return exitCodes.healthy;
  }
  return sayFailure(outcome.error, accepted, settings, say, isFirst);
};

const sayAccount = (user: User, { masking }: Settings, say: Say): void => {
  const isMasked = masksAnything(masking);
  const odd = new Set(userSchema.safeParse(user).error?.issues.map(({ path }) => path.join('.')));
  if (odd.size > 0) {
    const effect = isMasked ? 'mask it' : 'return it unchanged';
    say('warn', 'account', `differs from the API docs at ${[...odd].join(', ')}; the tools ${effect}`);
  }
  const { company, vat_id, api_version } = isMasked ? maskUser(user, masking) : user;
  const named = [company, vat_id].filter((text) => typeof text === 'string' && text !== '').map(cut);
  say('ok', 'account', `${named.join(', ') || 'without company and VAT ID'}; API version ${cut(api_version)}`);
};

const cut = (text: unknown): string => String(text).slice(0, 100);

const sayFailure = (
  error: OrderLicenseError,
  accepted: string,
  { baseUrl, masking }: Settings,
  say: Say,
  isFirst: boolean,
): number => {
  const { code, reason, message, serverText } = error;
  const [topic, exitCode] =
    (reason === 'proxy' ? diagnoses.connection : diagnoses[code]) ?? (['service', exitCodes.serviceFailed] as const);
  if (topic === 'address') say('fail', topic, `${baseUrl}: ${message}`);
  else {
    if (isFirst) say('ok', 'address', baseUrl);
    if (topic === 'account') say('ok', 'API key', accepted);
    say('fail', topic, message);
  }
  // They could hold anything.
  if (serverText && !masksAnything(masking)) say('warn', 'service', `says ${JSON.stringify(serverText)}`);
  return exitCode;
};

const sayClock = ({ isAnswered, date }: AccountAnswer, say: Say): void => {
  if (!isAnswered) return;
  const drift = Date.now() - Date.parse(date ?? '');
  if (Number.isNaN(drift)) say('ok', 'clock', 'not compared, because the service sent no time');
  else if (Math.abs(drift) < worryingDriftMs) say('ok', 'clock', "within a minute of the service's");
  else {
    const minutes = Math.round(Math.abs(drift) / 60_000);
    const direction = drift > 0 ? 'ahead of' : 'behind';
    say('warn', 'clock', `${minutes} min ${direction} the service; set the clock of this machine`);
  }
};

const sayStore = ({ events }: AccountAnswer, { store }: Settings, say: Say): void => {
  const lost = events.find((event) => event.type === 'store_unavailable');
  if (lost) {
    const effect = `requests are counted in memory, at most ${lost.requests} per minute`;
    say('warn', 'store', `cannot be used (${lost.problem}); ${effect}; check ORDER_LICENSE_STORE`);
  } else say('ok', 'store', describeStore(store));
};
