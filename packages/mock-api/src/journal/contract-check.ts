import { hasBody, headerValues, type MockRequest, splitTarget } from '../api/http.ts';
import { type BadParameter, readListQuery } from '../api/list-query.ts';
import { readId } from '../api/order-id.ts';
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
const documentedParams = ['page', 'per_page', 'status'];

/** A fast path for the correct targets of nearly all requests. */
const rightTarget =
  /^\/api\/v1\/(?:me|orders(?:\/[1-9]\d{0,14}|\?page=[1-9]\d{0,14}(?:&per_page=(?:[1-9]|[1-4]\d|50))?)?)$/;

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

/**
 * Returns the rules of the API docs that a request violates, even if the settings tolerate it.
 * @param secondsTooEarly remaining wait after a 429, s; 0 or less if it is over
 */
export const checkContract = (request: MockRequest, secondsTooEarly: number): Violation[] => {
  const found: Violation[] = [];
  const mark = (point: RuleNumber, text: string): number => found.push({ point, text });
  const { path, query } = splitTarget(request.target);

  if (isProbe(request, path)) return found;
  if (path.startsWith('/downloads/')) {
    if (headerValues(request, 'authorization').length > 0) mark('U-50', 'the API key was sent to a download URL');
    return found;
  }
  if (request.method !== 'GET') mark('S-02', `${request.method} instead of GET`);
  const authorizations = headerValues(request, 'authorization');
  if (authorizations.length !== 1) mark('S-59', `${authorizations.length} Authorization headers instead of one`);
  else if (!/^Bearer [\x21-\x7e]+$/.test(authorizations[0] as string)) {
    mark('S-59', 'Authorization is not "Bearer", one space and the key');
  }
  if (!headerValues(request, 'accept').join(',').toLowerCase().includes('application/json')) {
    mark('S-60', 'no Accept: application/json');
  }
  if (hasBody(request)) mark('S-41', 'a request body');
  if (secondsTooEarly > 0) mark('S-84', `sent ${Math.ceil(secondsTooEarly)} s before the wait after a 429 was over`);
  if (!rightTarget.test(request.target)) checkTarget(path, query, mark);
  return found;
};

/** Whether a health check or a browser sends this request automatically. */
const isProbe = (request: MockRequest, path: string): boolean => {
  if (path !== '/' && path !== '/favicon.ico') return false;
  return ['GET', 'HEAD'].includes(request.method) && headerValues(request, 'authorization').length === 0;
};

const checkTarget = (path: string, query: string, mark: (point: RuleNumber, text: string) => number): void => {
  const route = readRoute(path);
  switch (route.name) {
    case 'outside':
      mark('S-03', `a path outside ${basePath}`);
      break;
    case 'unknown':
      if (/\/\/|\/$/.test(path)) mark('U-27', 'an extra slash in the path');
      else mark('S-01', 'a path that the API does not have');
      break;
    case 'me':
      if (query !== '') mark('S-40', 'a query on /me');
      break;
    case 'list': {
      const names = [...new URLSearchParams(query).keys()];
      const bad = readListQuery(query, asDocumented);
      if (names.some((name) => !documentedParams.includes(name)))
        mark('U-08', 'a query parameter that the API docs do not name');
      else if (new Set(names).size < names.length) mark('U-07', 'a query parameter is given twice');
      else if ('problem' in bad) markParameter(bad, mark);
      break;
    }
    case 'order':
      if (readId(route.segment, asDocumented) === undefined) mark('S-56', 'an order id that is not an integer');
      if (query !== '') mark('U-08', 'a query on an order');
  }
};

const markParameter = (
  { parameter, problem }: BadParameter,
  mark: (point: RuleNumber, text: string) => number,
): void => {
  switch (problem) {
    case 'number':
      mark('U-03', `${parameter} is not a plain number`);
      break;
    case 'range':
      mark(parameter === 'page' ? 'U-01' : 'S-48', `${parameter} is out of range`);
      break;
    case 'status':
      mark('U-04', 'status is not one of the four');
  }
};
