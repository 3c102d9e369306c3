import type { MockEngine } from '../engine.ts';
import { type ControlCall, type ControlRequest, controlCalls } from './calls.ts';

/** The prefix of all control paths. */
export const controlPath = '/__mock';

export interface ControlAnswer {
  status: number;
  /** JSON; a string is sent as text. */
  body: unknown;
}

/** Responds to a control call. Errors are `{ error: string }`. */
export const control = (mock: MockEngine, request: ControlRequest): ControlAnswer => {
  const { method, path } = request;
  if (path === '' || path === '/') {
    if (method !== 'GET') return { status: 405, body: { error: 'Use GET.' } };
    return { status: 200, body: Object.fromEntries(controlCalls.map(describe)) };
  }
  const matching = controlCalls.filter((candidate) => matches(candidate.path, path));
  const found = matching.find((candidate) => candidate.method === method);
  if (!found) {
    if (matching.length === 0)
      return {
        status: 404,
        body: { error: `There is no ${controlPath}${path}. GET ${controlPath} lists all calls.` },
      };
    return { status: 405, body: { error: `Use ${matching.map((candidate) => candidate.method).join(' or ')}.` } };
  }
  try {
    const prefix = prefixOf(found.path);
    const name = prefix === found.path ? '' : decoded(path.slice(prefix.length));
    const { result = { done: true }, warnings } = mock.warned(() => found.call(mock, request, name));
    return { status: 200, body: warnings.length > 0 ? { ...(result as object), warnings } : result };
  } catch (error) {
    return { status: 400, body: { error: (error as Error).message } };
  }
};

const describe = ({ method, path, about, body }: ControlCall): [string, object] => [
  `${method} ${controlPath}${path}`,
  body ? { about, body } : { about },
];

/** Returns the part of a path before its name. */
const prefixOf = (route: string): string => route.replace(/\{.*/, '');

const matches = (route: string, path: string): boolean => {
  const prefix = prefixOf(route);
  return prefix === route ? route === path : path.startsWith(prefix) && path.length > prefix.length;
};

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error(`the name "${name}" in the path has an invalid % encoding`);
  }
};
