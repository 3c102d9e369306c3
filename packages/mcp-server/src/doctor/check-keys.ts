import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ownMessage, plainHttpHost } from '@order-license/core/host';
import {
  type ClientEvent,
  type ErrorCode,
  isOrderLicenseError,
  maskUser,
  type OrderLicenseError,
  type User,
} from '@order-license/core/portable';
import { masksAnything } from '../answers/masked-answer.ts';
import { createCallClient } from '../client/client.ts';
import type { Settings } from '../config/config.ts';
import { shortHash } from '../log/access-log.ts';
import { type Finding, fail, ok, type Topic, warn } from './findings.ts';

/**
 * Checks the API address, keys, accounts and clock with one `GET /me` (§4.1) per key, which the server's own client
 * sends without retries or waits. Stops if the address cannot be reached.
 * @param keys API keys with their owners; the owner of the server's own key is undefined
 */
export async function* checkKeys(
  keys: ReadonlyMap<string, string | undefined>,
  settings: Settings,
): AsyncGenerator<Finding> {
  const { baseUrl } = settings;
  const plainHost = plainHttpHost(baseUrl);
  if (keys.size > 0 && plainHost)
    yield warn('address', `API keys and responses travel unencrypted between this machine and ${plainHost}`);
  let date: string | undefined;
  const readDate = (message: unknown): void => {
    const { headers } = (message as { response: { headers: readonly Buffer[] } }).response;
    const at = headers.findIndex((text, index) => index % 2 === 0 && String(text).toLowerCase() === 'date');
    date = at < 0 ? '' : String(headers[at + 1]);
  };
  subscribe(responseHeaders, readDate);
  try {
    let [isReached, isAway] = [false, false];
    for (const [apiKey, owner] of keys) {
      for await (const { text, ...finding } of checkKey({ ...settings, apiKey })) {
        isAway ||= finding.topic === 'address';
        if (!isReached && !isAway) yield ok('address', baseUrl);
        isReached = true;
        yield { ...finding, text: owner === undefined || isAway ? text : `for ${owner}: ${text}` };
      }
      if (isAway) break;
    }
  } finally {
    unsubscribe(responseHeaders, readDate);
  }
  if (date !== undefined) yield compareClocks(date);
}

/** The channel on which undici reports the headers of each response, as a list of names and values. */
const responseHeaders = 'undici:request:headers';

/** Checks one key. If the API cannot be reached, the finding is about the address instead. */
async function* checkKey(config: Settings & { apiKey: string }): AsyncGenerator<Finding> {
  const { accessLog, apiKey } = config;
  const accepted = ok('API key', `accepted${accessLog ? `; the access log shows it as ${shortHash(apiKey)}` : ''}`);
  const events: ClientEvent[] = [];
  const client = createCallClient(
    config,
    (event) => void events.push(event),
    () => undefined,
  );
  try {
    const user = await client.getMe({ retries: 0, maxWaitMs: 0, timeoutMs: 15_000 });
    yield accepted;
    yield* describeAccount(user, events, config);
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    if (error.code === 'not_business_account') yield accepted;
    yield* describeFailure(error, config);
  } finally {
    await client.close();
  }
}

function* describeAccount(user: User, events: readonly ClientEvent[], { masking }: Settings): Generator<Finding> {
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

/** The topic for each error code. */
const topicOf: Partial<Record<ErrorCode, Topic>> = {
  connection: 'address',
  timeout: 'address',
  invalid_response: 'address',
  authentication: 'API key',
  not_business_account: 'account',
  rate_limited: 'limit',
};

function* describeFailure(error: OrderLicenseError, { baseUrl, masking }: Settings): Generator<Finding> {
  const { code, reason, serverText } = error;
  const isMasked = masksAnything(masking);
  const topic = topicOf[reason === 'proxy' ? 'connection' : code] ?? 'API';
  // The full message may quote the response, which could contain anything.
  const message = isMasked ? ownMessage(error) : error.message;
  yield fail(topic, topic === 'address' ? `${baseUrl}: ${message}` : message);
  if (serverText && !isMasked) yield warn('API', `says ${JSON.stringify(serverText)}`);
}

const cut = (text: unknown): string => String(text).slice(0, 100);

/**
 * Compares this machine's clock with the API's. If this clock is minutes off, access tokens look expired or not yet
 * valid, and times in logs are wrong.
 */
const compareClocks = (date: string): Finding => {
  const minutes = Math.trunc((Date.now() - Date.parse(date)) / 60_000);
  if (Number.isNaN(minutes)) return ok('clock', 'not compared, because the API sent no date');
  if (minutes === 0) return ok('clock', "within a minute of the API's clock");
  const direction = minutes > 0 ? 'ahead of' : 'behind';
  return warn('clock', `${Math.abs(minutes)} min ${direction} the API's clock; correct this machine's clock`);
};
