import {
  type BadParameter,
  basePath,
  hasBody,
  headerValues,
  type MockRequest,
  readListQuery,
  readRoute,
} from '../api/request.ts';
import type { Verdict } from '../limit/limiter.ts';
import { createSettings } from '../settings/profiles.ts';
import type { Settings } from '../settings/settings.ts';
import type { RuleNumber } from './contract-rules.ts';

/** A rule that a request violates: a statement in the API docs, or good behaviour where they leave a question open. */
export interface Violation {
  /** ID of the statement (S) or open question (U). */
  point: string;
  text: string;
}

const asDocumented = createSettings();
const parameterNames = ['page', 'per_page', 'status'];

/**
 * Returns the rules that a request violates, even if the settings make the mock accept the request.
 * @param secondsTooEarly remaining wait after a 429, s; 0 or less if the wait is over
 */
export const checkContract = (request: MockRequest, secondsTooEarly: number): Violation[] => {
  const { method } = request;
  const { name, path, query, list, id } = readRoute(request.target, asDocumented);
  const keys = headerValues(request, 'authorization');
  if (isAutomatic(method, path) && keys.length === 0) return [];
  if (path.startsWith('/downloads/'))
    return keys.length === 0 ? [] : [{ point: 'U-50', text: 'the API key was sent to a download URL' }];
  const accept = headerValues(request, 'accept').join().toLowerCase();
  const given = list ? [...new URLSearchParams(query)] : [];
  // If a parameter is given twice, its last value counts (U-07).
  const values = new Map(given);
  const isKnown = given.every(([parameter]) => parameterNames.includes(parameter));
  const hasExtraSlash = /\/\/|\/$/.test(path);
  const found: Violation[] = [];
  const mark = (isBroken: boolean, point: RuleNumber, text: string): unknown => isBroken && found.push({ point, text });
  mark(method !== 'GET', 'S-02', `the method is ${method} instead of GET`);
  if (keys.length !== 1) mark(true, 'S-59', `the request has ${keys.length} Authorization headers instead of one`);
  else mark(!/^Bearer [\x21-\x7e]+$/.test(keys.join()), 'S-59', 'Authorization is not "Bearer", one space and a key');
  mark(!accept.includes('application/json'), 'S-60', 'the header Accept: application/json is missing');
  mark(hasBody(request), 'S-41', 'the request has a body');
  mark(
    secondsTooEarly > 0,
    'S-84',
    `the request was sent ${Math.ceil(secondsTooEarly)} s before the wait after a 429 was over`,
  );
  mark(name === 'outside', 'S-03', `the path is outside ${basePath}`);
  mark(name === 'unknown' && hasExtraSlash, 'U-27', 'the path has an extra slash');
  mark(name === 'unknown' && !hasExtraSlash, 'S-01', 'the API has no such path');
  mark(name === 'me' && query !== '', 'S-40', '/me has a query');
  mark(name === 'order' && id === undefined, 'S-56', 'the order ID is not an integer');
  mark(name === 'order' && query !== '', 'U-08', 'the path of an order has a query');
  mark(!isKnown, 'U-08', 'the query has a parameter that the API docs do not name');
  mark(values.size < given.length, 'U-07', 'a query parameter is given twice');
  for (const [parameter, value] of values) {
    const problem = problemOf(parameter, value);
    mark(problem === 'number', 'U-03', `${parameter} is not a plain number`);
    mark(problem === 'range', parameter === 'page' ? 'U-01' : 'S-48', `${parameter} is out of range`);
    mark(problem === 'status', 'U-04', 'status is not one of the four documented values');
  }
  return found;
};

/** Returns the problem of one list parameter; `undefined` if it is valid. */
const problemOf = (parameter: string, value: string): BadParameter['problem'] | undefined => {
  const list = readListQuery(new URLSearchParams([[parameter, value]]), asDocumented);
  return 'problem' in list ? list.problem : undefined;
};

/** Whether a health check or a browser sends this request automatically. */
const isAutomatic = (method: string, path: string): boolean =>
  (path === '/' || path === '/favicon.ico') && ['GET', 'HEAD'].includes(method);

/**
 * Returns how long a client should wait after a 429, in ms: the 60 s of §8, or less if the window is shorter or if the
 * 429 states a shorter wait.
 * @param verdict the limiter's decision
 * @param statedMs the wait in a fault's Retry-After, ms
 */
export const waitMs = (
  verdict: Verdict | undefined,
  { rateHeaders, windowMs }: Settings,
  statedMs?: number,
): number => {
  const limitMs = verdict?.allowed === false && rateHeaders !== 'none' ? verdict.resetMs : windowMs;
  return Math.min(60_000, statedMs ?? limitMs);
};

/** A client connection, to track which responses the client read before a request. */
export interface Connection {
  /** Call on close: the client has then read all its responses. */
  close(): void;
}

/** The wait that one or more 429s impose on a key. */
interface Wait {
  /** Time of the first 429. */
  since: number;
  until: number;
  /** Sequence number of the moment when the client last read one of the 429s. */
  read: number;
}

interface Opened extends Connection {
  /**
   * Sequence number of the moment when the connection opened. If a 429's `read` is lower, the client read that 429
   * before it sent this connection's next request.
   */
  opened: number;
  unread?: Wait | undefined;
}

/** A 429 counts as read after this time at the latest, ms. */
const maxReadMs = 1000;

/** Tracks each key's wait after a 429 (§8), and whether the client read the 429 before it sent its next request. */
export const createWaits = () => {
  /** The number of opened connections and read 429s so far. */
  let moment = 0;
  const waits = new Map<string, Wait>();
  const readAll = (connection: Opened): void => {
    const { unread } = connection;
    if (unread) unread.read = ++moment;
    connection.unread = undefined;
  };

  return {
    open(): Connection {
      const connection: Opened = { opened: ++moment, close: () => readAll(connection) };
      return connection;
    },
    /**
     * Registers a request. Without a connection, each response counts as read before the next request.
     * @param key the request's key, if it is known
     * @returns the remaining wait after a 429 that the client has read, ms; 0 or less if the wait is over
     */
    earlyMs(given: Connection | undefined, key: string | undefined, now: number): number {
      const connection = given as Opened | undefined;
      const opened = connection?.opened ?? Number.POSITIVE_INFINITY;
      if (connection) {
        readAll(connection);
        connection.opened = Number.POSITIVE_INFINITY;
      }
      const wait = key === undefined ? undefined : waits.get(key);
      // Setting the clock back resets the limits.
      if (!wait || now < wait.since) return 0;
      return wait.read < opened || now >= wait.since + maxReadMs ? wait.until - now : 0;
    },
    /**
     * Registers a 429 that is sent now.
     * @param until when the client may send the next request
     * @param isEarly whether the rejected request itself was too early. Otherwise it was sent before the client had read
     * any 429, so the client need not wait longer than after the other one.
     */
    rejected(connection: Connection | undefined, key: string, now: number, until: number, isEarly: boolean): void {
      const known = waits.get(key);
      const isNew = !known || now < known.since || now >= known.until;
      const wait = isNew ? { since: now, until, read: Number.POSITIVE_INFINITY } : known;
      wait.until = isEarly ? until : Math.min(wait.until, until);
      waits.set(key, wait);
      if (connection) (connection as Opened).unread = wait;
      else wait.read = 0;
    },
    reset: () => waits.clear(),
  };
};
