import { ownMessage, plainHttpHost } from '@order-license/core/host';
import { type ErrorCode, maskUser, type OrderLicenseError, type User } from '@order-license/core/portable';
import { masksAnything } from '../answers/masked-answer.ts';
import type { Settings } from '../config/config.ts';
import { describeStore } from '../config/store-choice.ts';
import { shortHash } from '../log/access-log.ts';
import { type Asked, askAccount } from './ask-account.ts';
import { exitCodes, type Finding, fail, ok, type Topic, warn } from './findings.ts';

/**
 * Checks the API address, keys, accounts, clock and store with one request per key. Stops if the address cannot be
 * reached.
 * @param keys API keys with their owners; the owner of the server's own key is undefined
 */
export async function* checkKeys(
  keys: ReadonlyMap<string, string | undefined>,
  settings: Settings,
): AsyncGenerator<Finding> {
  let first: Asked | undefined;
  const plainHost = plainHttpHost(settings.baseUrl);
  if (keys.size > 0 && plainHost)
    yield warn('address', `API keys and responses travel unencrypted between this machine and ${plainHost}`);
  for (const [apiKey, owner] of keys) {
    const asked = await askAccount({ ...settings, apiKey });
    const [address, ...ofKey] = findingsOf(asked, apiKey, settings);
    if (address && (!first || address.exitCode)) yield address;
    for (const finding of ofKey) {
      yield owner === undefined ? finding : { ...finding, text: `for ${owner}: ${finding.text}` };
    }
    first ??= asked;
    if (address?.exitCode) break;
  }
  if (first?.date !== undefined) yield compareClocks(first.date);
  const lost = first?.events.find((event) => event.type === 'store_unavailable');
  const effect = `the server counts requests in memory instead and sends at most ${lost?.requests} per minute; check ORDER_LICENSE_STORE`;
  yield lost
    ? warn('store', `cannot be used (${lost.problem}); ${effect}`)
    : ok('store', describeStore(settings.store));
}

/** The topic and exit code for each error code. */
const diagnoses: Partial<Record<ErrorCode, readonly [topic: Topic, exitCode: number]>> = {
  connection: ['address', exitCodes.notReached],
  timeout: ['address', exitCodes.notReached],
  invalid_response: ['address', exitCodes.notReached],
  authentication: ['API key', exitCodes.keyRefused],
  not_business_account: ['account', exitCodes.notBusinessAccount],
  rate_limited: ['limit', exitCodes.rateLimited],
};

const diagnose = ({ code, reason }: OrderLicenseError): readonly [topic: Topic, exitCode: number] =>
  diagnoses[reason === 'proxy' ? 'connection' : code] ?? ['API', exitCodes.serviceFailed];

/** Returns the findings from one request; the first is about the address. */
function* findingsOf({ outcome, events }: Asked, apiKey: string, settings: Settings): Generator<Finding> {
  const { baseUrl, masking, accessLog } = settings;
  const accepted = ok('API key', `accepted${accessLog ? `; the access log shows it as ${shortHash(apiKey)}` : ''}`);
  if ('user' in outcome) {
    yield* [ok('address', baseUrl), accepted];
    yield* describeAccount(outcome.user, settings, events);
    return;
  }
  const { error } = outcome;
  const { serverText } = error;
  // The full message may quote the response, which could contain anything.
  const message = masksAnything(masking) ? ownMessage(error) : error.message;
  const [topic, exitCode] = diagnose(error);
  if (topic === 'address') yield fail(topic, `${baseUrl}: ${message}`, exitCode);
  else {
    yield ok('address', baseUrl);
    if (topic === 'account') yield accepted;
    yield fail(topic, message, exitCode);
  }
  if (serverText && !masksAnything(masking)) yield warn('API', `says ${JSON.stringify(serverText)}`);
}

function* describeAccount(user: User, { masking }: Settings, events: Asked['events']): Generator<Finding> {
  const isMasked = masksAnything(masking);
  const deviation = events.find((event) => event.type === 'deviation');
  if (deviation) {
    const effect = isMasked ? 'mask these fields' : 'return these fields unchanged';
    yield warn('account', `differs from the API docs at ${deviation.paths.join(', ')}; the tools ${effect}`);
  }
  const { company, vat_id, api_version } = isMasked ? maskUser(user, masking) : user;
  const named = [company, vat_id].filter((text) => typeof text === 'string' && text !== '').map(cut);
  yield ok('account', `${named.join(', ') || 'no company or VAT ID'}; API version ${cut(api_version)}`);
}

const cut = (text: unknown): string => String(text).slice(0, 100);

/**
 * Compares this machine's clock with the API's. If a clock is minutes off, valid certificates look expired or not yet
 * valid.
 */
const compareClocks = (date: string): Finding => {
  const minutes = Math.trunc((Date.now() - Date.parse(date)) / 60_000);
  if (Number.isNaN(minutes)) return ok('clock', 'not compared, because the API sent no date');
  if (minutes === 0) return ok('clock', "within a minute of the API's clock");
  const direction = minutes > 0 ? 'ahead of' : 'behind';
  return warn('clock', `${Math.abs(minutes)} min ${direction} the API's clock; correct this machine's clock`);
};
