import { readFileSync } from 'node:fs';

/** The page or one of its files. */
export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const scripts = [
  'page',
  'call',
  'dom',
  'form',
  'journal',
  'limits',
  'clock',
  'settings',
  'faults',
  'scenarios',
  'orders',
];
const types = new Map([['page.css', 'text/css'], ...scripts.map((name) => [`${name}.js`, 'text/javascript'] as const)]);

/** The page calls only its own origin, and no other page can frame it. Its icon is a data URL. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'", 'img-src data:'],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/**
 * Answers a request for the page or one of its files.
 * @param path below `/__mock`
 * @returns `undefined` for a program, which gets JSON
 */
export const servePage = (method: string, path: string, accept = ''): PageAnswer | undefined => {
  if (method !== 'GET') return undefined;
  const file = /^\/page\/([a-z.]+)$/.exec(path)?.[1];
  const type = file === undefined ? undefined : types.get(file);
  if (file !== undefined && type !== undefined) return answer(type, read(file));
  if ((path !== '' && path !== '/') || !wantsHtml(accept)) return undefined;
  // URLs in the page are relative, so that it works behind a proxy.
  if (path === '') return { status: 302, headers: { location: '__mock/', vary: 'accept' }, body: '' };
  return answer('text/html', read('index.html'));
};

const wantsHtml = (accept: string): boolean =>
  accept.split(',').some((range) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i.test(range));

const answer = (type: string, body: string): PageAnswer => ({
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

/** The folder is next to both this file and the built code. */
const read = (name: string): string => readFileSync(new URL(`static/${name}`, import.meta.url), 'utf8');
