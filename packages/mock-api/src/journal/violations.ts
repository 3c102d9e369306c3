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

/** A rule that a request violates: a statement in the API docs, or good behaviour where they leave a question open. */
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
  const { name, path, query, list, id } = readRoute(request.target, strictSettings);
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
  const early = Math.ceil(earlyMs / 1000);
  mark(early > 0, 'S-84', `the request was sent ${early} s before the wait after a 429 was over`);
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
  const list = readListQuery(new URLSearchParams([[parameter, value]]), strictSettings);
  return 'problem' in list ? list.problem : undefined;
};

/** Whether a health check or a browser sends this request automatically. */
const isAutomatic = (method: string, path: string): boolean =>
  (path === '/' || path === '/favicon.ico') && ['GET', 'HEAD'].includes(method);
