import {
  type Client,
  type ClientEvent,
  createClient,
  type Host,
  isOrderLicenseError,
} from '@order-license/core/portable';
import { createMock } from '@order-license/mock-api';
import { plantedKey, plantedLicense, refuseSecrets } from '@order-license/testing/canary';
import { askMock } from '@order-license/testing/in-process-host';
import type { FuzzAnswer } from './answers.ts';
import { isApiRequest } from './area.ts';

/**
 * Returns an address that no other case uses. Only clients with the same address and key share a pacer, so no case
 * waits for another.
 */
export const newBaseUrl = (): string => `https://shop-${++made}.example/api/v1`;
let made = 0;

/** Virtual time, ms. A quarter of an hour passes between cases, so that requests from earlier cases no longer count. */
let time = 0;

/** A client whose API returns the same response to every request. The signal aborts after twenty requests. */
export const clientOf = (answer: FuzzAnswer): { client: Client; signal: AbortSignal; events: ClientEvent[] } => {
  time += 900_000;
  const enough = new AbortController();
  const events: ClientEvent[] = [];
  let sent = 0;
  const host: Host = {
    now: () => time,
    async sleep(ms) {
      time += ms;
    },
    async send({ url }) {
      if (!isApiRequest(url)) throw new Error(`Unexpected request: ${url}`);
      sent += 1;
      if (sent >= 20) enough.abort();
      return answer;
    },
  };
  const client = createClient({
    host,
    baseUrl: newBaseUrl(),
    apiKey: plantedKey,
    retries: 0,
    maxWaitMs: 0,
    onEvent: (event) => events.push(event),
  });
  return { client, signal: enough.signal, events };
};
export interface Shop {
  client: Client;
  /** The addresses requested since the last call of `asked`. */
  asked(): string[];
}

/** A client of a mock in this process, without sockets or waits. */
export const openShop = (): Shop => {
  const mock = createMock({
    limit: 'off',
    orders: 30,
    keys: { business: plantedKey },
    licenseKeyPrefix: plantedLicense,
  });
  let asked: string[] = [];
  const host: Host = {
    now: () => 0,
    sleep: async () => undefined,
    async send({ url, headers }) {
      asked.push(url);
      return askMock(mock, plantedKey, { url, headers });
    },
  };
  const rateLimit = { requests: 1_000_000, minGapMs: 0, windowMs: 1, guardMs: 0 };
  return {
    client: createClient({ host, baseUrl: 'https://shop.example/api/v1', apiKey: plantedKey, rateLimit, retries: 0 }),
    asked() {
      const all = asked;
      asked = [];
      return all;
    },
  };
};

/** Maximum length of an error message, in characters. */
const longestMessage = 600;

/**
 * Returns the result, or undefined if the call throws a documented error. Throws if the error has no documented code,
 * is too long or contains a key.
 */
export const answerOrNamedError = async (read: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await read();
  } catch (error) {
    if (!isOrderLicenseError(error)) throw error;
    if (error.message.length > longestMessage) throw new Error(`A message of ${error.message.length} characters.`);
    if ((error.serverText?.length ?? 0) > 2 * 200) throw new Error("The API's message is not truncated.");
    refuseSecrets(error);
    return undefined;
  }
};
