import { readFileSync } from 'node:fs';
import { accepts } from '../api/request.ts';
import type { ControlAnswer } from '../control/control.ts';
import { overview } from '../control/overview.ts';
import type { InnerMock } from '../mock.ts';
import { pageHtml } from './page-html.ts';

/** The page can call only its own origin, and no other page can frame it. Its icon is a data URL. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", 'img-src data:'],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/** A request below `/__mock`. */
interface PageRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  accept: string | undefined;
}

/**
 * Serves the page or one of its files.
 * @param controlUrl the URL of the control API, for the curl calls on the page
 * @returns `undefined` for a program, which gets JSON
 */
export const servePage = (
  mock: InnerMock,
  { method, path, query, accept = '' }: PageRequest,
  controlUrl: string,
): ControlAnswer | undefined => {
  if (method !== 'GET') return undefined;
  if (path === '/page/page.css') return respond('text/css', read('page.css'));
  if (path === '/page/page.js') return respond('text/javascript', read('page.js'));
  if ((path !== '' && path !== '/') || !accepts(accept, 'text/html')) return undefined;
  // Adds the trailing slash: all URLs in the page are relative to it, so that the page works behind a proxy.
  if (path === '') return { status: 302, headers: { location: '__mock/', vary: 'accept' }, body: '' };
  return respond('text/html', pageHtml(overview(mock, query.has('violations')), controlUrl));
};

const respond = (type: string, body: string): ControlAnswer => ({
  status: 200,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    vary: 'accept',
  },
  body,
});

/** The path works from `src` and from `dist`, since each of them contains this folder next to the code. */
const read = (name: string): string => readFileSync(new URL(`static/${name}`, import.meta.url), 'utf8');
