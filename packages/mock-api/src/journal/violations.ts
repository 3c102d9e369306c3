import {
  type BadParameter,
  basePath,
  hasBody,
  headerValues,
  type MockRequest,
  readListQuery,
  readRoute,
} from '../api/request.ts';
import { strictSettings } from '../settings/profiles.ts';
import type { RuleNumber } from './client-rules.ts';

/** A rule that a request violates: a statement in the API docs, or good behavior where they leave a question open. */
export interface Violation {
  /** ID of the statement (S) or open question (U). */
  point: string;
  text: string;
}

const parameterNames = ['page', 'per_page', 'status'];

/**
 * Returns the rules that a request violates, even if the settings make the mock accept the request.
 * @param earlyMs remaining wait after a 429, ms; 0 if the wait is over
 */
export const violationsOf = (request: MockRequest, earlyMs: number): Violation[] => {
  const { method } = request;
  const { operation, isOutside, path, query, list, id } = readRoute(request.target, strictSettings);
  const keys = headerValues(request, 'authorization');
  if (isAutomatic(method, path) && keys.length === 0) return [];
  if (path.startsWith('/downloads/'))
    return keys.length === 0 ? [] : [{ point: 'U-50', text: 'the API key was sent to a download URL' }];
  const accept = headerValues(request, 'accept').join().toLowerCase();
  const given = list ? [...new URLSearchParams(query)] : [];
  // If a parameter is given twice, its last value counts (U-07).
  const values = new Map(given);
  const isKnown = given.every(([parameter]) => parameterNames.includes(parameter));
  const isUnknown = operation === undefined && !isOutside;
  const hasExtraSlash = /\/\/|\/$/.test(path);
  const found: Violation[] = [];
  const mark = (isBroken: boolean, point: RuleNumber, text: string): unknown => isBroken && found.push({ point, text });
  mark(method !== 'GET', 'S-02', `the method is ${method} instead of GET`);
  if (keys.length !== 1) mark(true, 'S-59', `the request has ${keys.length} Authorization headers instead of one`);
  else mark(!/^Bearer [\x21-\x7e]+$/.test(keys.join()), 'S-59', 'Authorization is not "Bearer", one space and a key');
  mark(!accept.includes('application/json'), 'S-60', 'the header Accept: application/json is missing');
  mark(hasBody(request), 'S-41', 'the request has a body');
  const early = Math.ceil(earlyMs / 1000);
  mark(early > 0, 'S-84', `the request was sent ${early} s before the wait after a 429 was over`);
  mark(isOutside === true, 'S-03', `the path is outside ${basePath}`);
  mark(isUnknown && hasExtraSlash, 'U-27', 'the path has an extra slash');
  mark(isUnknown && !hasExtraSlash, 'S-01', 'the API has no such path');
  mark(operation === 'me' && query !== '', 'S-40', '/me has a query');
  mark(operation === 'order' && id === undefined, 'S-56', 'the order ID is not an integer');
  mark(operation === 'order' && query !== '', 'U-08', 'the path of an order has a query');
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
  const list = readListQuery(new URLSearchParams([[parameter, value]]), strictSettings);
  return 'problem' in list ? list.problem : undefined;
};

/** Whether a health check or a browser sends this request automatically. */
const isAutomatic = (method: string, path: string): boolean =>
  (path === '/' || path === '/favicon.ico') && ['GET', 'HEAD'].includes(method);

/** A 429 as it is sent. */
export interface Rejection {
  /** The wait that the 429 states, or else one window, ms. */
  waitMs: number;
  /** ms until the 429 is sent. */
  delayMs: number;
}

/** The longest wait that a client owes (§8), ms. */
const maxWaitMs = 60_000;

/** A client has noticed a 429 after this time at the latest, ms. */
const noticeMs = 1000;

/** The wait that one or more 429s impose on a key, in ms since 1970. */
interface Wait {
  /** Time of the first 429. */
  since: number;
  until: number;
  /** From this time on, a request on any connection is too early. Not set by a delayed 429: it may never arrive. */
  noticed: number;
  /** The connections on which a 429 was sent: their next request is too early. */
  connections: WeakSet<object>;
}

/** Tracks each key's wait after a 429 (§8). Requests that were sent before the client could notice the 429 are allowed. */
export const createWaits = () => {
  const waits = new Map<string, Wait>();
  const current = (key: string, now: number): Wait | undefined => {
    const wait = waits.get(key);
    // Setting the clock back resets the limits.
    return wait && now >= wait.since && now < wait.until ? wait : undefined;
  };
  return {
    /** Returns the remaining wait of a request that is too early, ms; otherwise 0. */
    earlyMs(key: string, now: number, connection: object | undefined): number {
      const wait = current(key, now);
      if (!wait) return 0;
      const isNoticed = now >= wait.noticed || (connection !== undefined && wait.connections.has(connection));
      return isNoticed ? wait.until - now : 0;
    },
    /** Registers a 429. If several requests got one, the shortest wait counts. */
    reject(key: string, now: number, connection: object | undefined, { waitMs, delayMs }: Rejection): void {
      const fresh = { since: now, until: Number.POSITIVE_INFINITY, noticed: Number.POSITIVE_INFINITY };
      const wait = current(key, now) ?? { ...fresh, connections: new WeakSet() };
      wait.until = Math.min(wait.until, now + Math.min(maxWaitMs, waitMs));
      if (delayMs === 0) wait.noticed = Math.min(wait.noticed, now + noticeMs);
      if (connection) wait.connections.add(connection);
      waits.set(key, wait);
    },
    reset: (): void => waits.clear(),
  };
};
