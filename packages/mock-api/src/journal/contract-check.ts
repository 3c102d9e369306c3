import { hasBody, headerValues, type MockRequest } from '../api/http.ts';
import type { BadParameter } from '../api/list-query.ts';
import { basePath, readRoute } from '../api/router.ts';
import type { Verdict } from '../limit/limiter.ts';
import { createSettings } from '../settings/profiles.ts';
import type { Settings } from '../settings/settings.ts';
import type { RuleNumber } from './contract-rules.ts';

/** A rule of the API docs that a request violates. */
export interface Violation {
  /** ID of the statement (S) or open question (U). */
  point: string;
  text: string;
}

const asDocumented = createSettings();
const parameterNames = ['page', 'per_page', 'status'];

/**
 * Returns the rules of the API docs that a request violates, even if the settings tolerate it.
 * @param secondsTooEarly remaining wait after a 429, s; 0 or less if it is over
 */
export const checkContract = (request: MockRequest, secondsTooEarly: number): Violation[] => {
  const { method } = request;
  const { name, path, query, list, id } = readRoute(request.target, asDocumented);
  const keys = headerValues(request, 'authorization');
  if (isAutomatic(method, path) && keys.length === 0) return [];
  if (path.startsWith('/downloads/'))
    return keys.length === 0 ? [] : [{ point: 'U-50', text: 'the API key was sent to a download URL' }];
  const accept = headerValues(request, 'accept').join().toLowerCase();
  const given = list ? [...new URLSearchParams(query).keys()] : [];
  const isKnown = given.every((parameter) => parameterNames.includes(parameter));
  const isOnce = new Set(given).size === given.length;
  const { parameter, problem } = { ...(isKnown && isOnce && list) } as Partial<BadParameter>;
  const isUnknown = name === 'unknown';
  const hasExtraSlash = /\/\/|\/$/.test(path);
  const facts: [RuleNumber, boolean, string][] = [
    ['S-02', method !== 'GET', `${method} instead of GET`],
    ['S-59', keys.length !== 1, `${keys.length} Authorization headers instead of one`],
    [
      'S-59',
      keys.length === 1 && !/^Bearer [\x21-\x7e]+$/.test(keys.join()),
      'Authorization is not "Bearer", one space and the key',
    ],
    ['S-60', !accept.includes('application/json'), 'no Accept: application/json'],
    ['S-41', hasBody(request), 'a request body'],
    ['S-84', secondsTooEarly > 0, `sent ${Math.ceil(secondsTooEarly)} s before the wait after a 429 was over`],
    ['S-03', name === 'outside', `a path outside ${basePath}`],
    ['U-27', isUnknown && hasExtraSlash, 'an extra slash in the path'],
    ['S-01', isUnknown && !hasExtraSlash, 'a path that the API does not have'],
    ['S-40', name === 'me' && query !== '', 'a query on /me'],
    ['S-56', name === 'order' && id === undefined, 'an order id that is not an integer'],
    ['U-08', name === 'order' && query !== '', 'a query on an order'],
    ['U-08', !isKnown, 'a query parameter that the API docs do not name'],
    ['U-07', isKnown && !isOnce, 'a query parameter is given twice'],
    ['U-03', problem === 'number', `${parameter} is not a plain number`],
    [parameter === 'page' ? 'U-01' : 'S-48', problem === 'range', `${parameter} is out of range`],
    ['U-04', problem === 'status', 'status is not one of the four'],
  ];
  return facts.filter(([, isBroken]) => isBroken).map(([point, , text]) => ({ point, text }));
};

/** Whether a health check or a browser sends this request automatically. */
const isAutomatic = (method: string, path: string): boolean =>
  (path === '/' || path === '/favicon.ico') && ['GET', 'HEAD'].includes(method);

/**
 * Returns how long a client should wait after a 429, in ms: the 60 s of §8, or less if the window is shorter or if the
 * 429 states a shorter wait.
 * @param verdict of the rate limit
 * @param statedMs the wait in the Retry-After of a fault, ms
 */
export const waitMs = (
  verdict: Verdict | undefined,
  { rateHeaders, windowMs }: Settings,
  statedMs?: number,
): number => {
  const limitMs = verdict?.allowed === false && rateHeaders !== 'none' ? verdict.resetMs : windowMs;
  return Math.min(60_000, statedMs ?? limitMs);
};
