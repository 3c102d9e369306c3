import type { Mock } from '../mock.ts';
import type { ControlRequest } from './calls.ts';
import { routes } from './routes.ts';

/** All control paths lie under this. */
export const controlPath = '/__mock';

export interface ControlAnswer {
  status: number;
  /** JSON, or text where it is a string. */
  body: unknown;
}

/** Answers a control call. Errors are `{ error }` with a sentence. */
export const control = (mock: Mock, request: ControlRequest): ControlAnswer => {
  const { method, path } = request;
  if (path === '' || path === '/') {
    if (method !== 'GET') return { status: 405, body: { error: 'Use GET.' } };
    return {
      status: 200,
      body: Object.fromEntries(routes.map(([verb, route, about]) => [`${verb} ${controlPath}${route}`, about])),
    };
  }
  const matching = routes.filter(([, route]) => matches(route, path));
  const [, route = '', , call] = matching.find(([verb]) => verb === method) ?? [];
  if (!call) {
    if (matching.length === 0)
      return {
        status: 404,
        body: { error: `There is no ${controlPath}${path}; GET ${controlPath} lists what there is.` },
      };
    return { status: 405, body: { error: `Use ${matching.map(([verb]) => verb).join(' or ')}.` } };
  }
  try {
    const name = route.endsWith('*') ? decoded(path.slice(route.length - 1)) : '';
    return { status: 200, body: call(mock, request, name) ?? { done: true } };
  } catch (error) {
    return { status: 400, body: { error: (error as Error).message } };
  }
};

const matches = (route: string, path: string): boolean =>
  route.endsWith('*') ? path.startsWith(route.slice(0, -1)) && path.length > route.length - 1 : route === path;

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Error(`the name "${name}" at the end of the path has a % that begins no encoded character`);
  }
};
