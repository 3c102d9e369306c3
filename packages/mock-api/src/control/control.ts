import type { InnerMock } from '../mock.ts';
import { type ControlCall, type ControlRequest, controlCalls } from './calls.ts';

/** The prefix of all control paths. */
export const controlPath = '/__mock';

export interface ControlAnswer {
  status: number;
  /** The response headers. Default: those of a JSON response. */
  headers?: Record<string, string>;
  /** The body, sent as JSON; a string is sent as text. */
  body: unknown;
}

export const failure = (status: number, error: string): ControlAnswer => ({ status, body: { error } });

/** Responds to a control call. */
export const control = (mock: InnerMock, request: ControlRequest): ControlAnswer => {
  const { method, path } = request;
  const matching = [index, ...controlCalls].filter((call) => patternOf(call).test(path));
  const found = matching.find((call) => call.method === method);
  if (matching.length === 0)
    return failure(404, `There is no ${controlPath}${path}. GET ${controlPath} lists all calls.`);
  const methods = matching.map((call) => call.method).join(' or ');
  if (!found) return failure(405, `This path does not allow ${method}. Use ${methods}.`);
  try {
    const name = decoded(patternOf(found).exec(path)?.[1] ?? '');
    const { result = { done: true }, warnings } = mock.warned(() => found.call(mock, request, name));
    return { status: 200, body: warnings.length > 0 ? { ...(result as object), warnings } : result };
  } catch (error) {
    return failure(400, (error as Error).message);
  }
};

const describe = ({ method, path, about, body }: ControlCall): [string, object] => [
  `${method} ${controlPath}${path}`,
  body ? { about, body } : { about },
];

const index: ControlCall = {
  method: 'GET',
  path: '/?',
  about: 'lists all calls',
  call: () => Object.fromEntries(controlCalls.map(describe)),
};

/** Returns a pattern for the paths of a call. Its group captures the name in the path. */
const patternOf = ({ path }: ControlCall): RegExp =>
  new RegExp(`^${path.replace('.', '\\.').replace(/\{\w+\}/, '(.+)')}$`, 's');

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error(`the name "${name}" in the path has invalid percent-encoding`);
  }
};
