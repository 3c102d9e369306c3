import { plainHttpHost } from '@order-license/core/host';
import { type ErrorCode, maskUser, type OrderLicenseError, type User } from '@order-license/core/portable';
import { type Masking, masksAnything } from '../answers/masked-answer.ts';
import type { Settings } from '../config/config.ts';
import { describeStore } from '../config/store-choice.ts';
import { shortHash } from '../log/access-log.ts';
import { type Asked, askAccount } from './ask-account.ts';
import { exitCodes, type Finding, type Say, type Topic } from './findings.ts';

/** A clock further off than this, ms, makes certificates look expired or not yet valid. */
const worryingDriftMs = 60_000;

/**
 * Checks address, keys, accounts, clock and store with one request per key; an unreachable address ends the checks.
 * @param keys with their owners; undefined for the server's own
 * @returns the exit code of the first failure
 */
export const checkKeys = async (
  keys: ReadonlyMap<string, string | undefined>,
  settings: Settings,
  say: Say,
): Promise<number> => {
  let exitCode: number = exitCodes.healthy;
  let first: Asked | undefined;
  const plainHost = plainHttpHost(settings.baseUrl);
  if (keys.size > 0 && plainHost) say('warn', 'address', `API keys and answers go to ${plainHost} in clear text`);
  for (const [apiKey, owner] of keys) {
    const asked = await askAccount({ ...settings, apiKey });
    const { code, findings } = findingsOf(asked, apiKey, settings);
    for (const { verdict, topic, text } of findings) {
      if (topic !== 'address') say(verdict, topic, owner === undefined ? text : `of ${owner}: ${text}`);
      else if (!first || verdict === 'fail') say(verdict, topic, text);
    }
    exitCode ||= code;
    first ??= asked;
    if (code === exitCodes.notReached) break;
  }
  if (first?.date !== undefined) sayClock(first.date, say);
  const lost = first?.events.find((event) => event.type === 'store_unavailable');
  if (lost) {
    const effect = `requests are counted in memory, at most ${lost.requests} per minute`;
    say('warn', 'store', `cannot be used (${lost.problem}); ${effect}; check ORDER_LICENSE_STORE`);
  } else say('ok', 'store', describeStore(settings.store));
  return exitCode;
};

/** Topic and exit code of each error of the request. */
const diagnoses: Partial<Record<ErrorCode, readonly [topic: Topic, exitCode: number]>> = {
  connection: ['address', exitCodes.notReached],
  timeout: ['address', exitCodes.notReached],
  invalid_response: ['address', exitCodes.notReached],
  authentication: ['API key', exitCodes.keyRefused],
  not_business_account: ['account', exitCodes.notBusinessAccount],
  rate_limited: ['limit', exitCodes.rateLimited],
};

const diagnose = ({ code, reason }: OrderLicenseError): readonly [topic: Topic, exitCode: number] =>
  diagnoses[reason === 'proxy' ? 'connection' : code] ?? ['service', exitCodes.serviceFailed];

const findingsOf = (
  { outcome, events }: Asked,
  apiKey: string,
  { baseUrl, masking, accessLog }: Settings,
): { code: number; findings: Finding[] } => {
  const address: Finding = { verdict: 'ok', topic: 'address', text: baseUrl };
  const hash = accessLog ? `; ${shortHash(apiKey)} in the access log` : '';
  const key: Finding = { verdict: 'ok', topic: 'API key', text: `accepted${hash}` };
  if ('user' in outcome) {
    return { code: exitCodes.healthy, findings: [address, key, ...describeAccount(outcome.user, masking, events)] };
  }
  const { message, serverText } = outcome.error;
  const [topic, code] = diagnose(outcome.error);
  const findings: Finding[] =
    topic === 'address'
      ? [{ verdict: 'fail', topic, text: `${baseUrl}: ${message}` }]
      : [address, ...(topic === 'account' ? [key] : []), { verdict: 'fail', topic, text: message }];
  // It could hold anything.
  if (serverText && !masksAnything(masking)) {
    findings.push({ verdict: 'warn', topic: 'service', text: `says ${JSON.stringify(serverText)}` });
  }
  return { code, findings };
};

const describeAccount = (user: User, masking: Masking, events: Asked['events']): Finding[] => {
  const isMasked = masksAnything(masking);
  const deviation = events.find((event) => event.type === 'deviation');
  const effect = isMasked ? 'mask it' : 'return it unchanged';
  const differs = `differs from the API docs at ${deviation?.paths.join(', ')}; the tools ${effect}`;
  const { company, vat_id, api_version } = isMasked ? maskUser(user, masking) : user;
  const named = [company, vat_id].filter((text) => typeof text === 'string' && text !== '').map(cut);
  const text = `${named.join(', ') || 'without company and VAT ID'}; API version ${cut(api_version)}`;
  const account: Finding = { verdict: 'ok', topic: 'account', text };
  return deviation ? [{ ...account, verdict: 'warn', text: differs }, account] : [account];
};

const cut = (text: unknown): string => String(text).slice(0, 100);

const sayClock = (date: string, say: Say): void => {
  const drift = Date.now() - Date.parse(date);
  if (Number.isNaN(drift)) say('ok', 'clock', 'not compared, because the API sent no time');
  else if (Math.abs(drift) < worryingDriftMs) say('ok', 'clock', "within a minute of the API's");
  else {
    const minutes = Math.round(Math.abs(drift) / 60_000);
    const direction = drift > 0 ? 'ahead of' : 'behind';
    say('warn', 'clock', `${minutes} min ${direction} the API; set the clock of this machine`);
  }
};
