import type { AnswerSummary } from '../journal/answer-summary.ts';
import type { Settings } from '../settings/settings.ts';
import type { ErrorReason } from './error-reason.ts';
import type { MockResponse } from './http.ts';

const statusOf: Record<ErrorReason, number> = {
  badRequest: 400,
  unauthorized: 401,
  notBusiness: 403,
  httpsOnly: 403,
  orderNotFound: 404,
  pathNotFound: 404,
  method: 405,
  notAcceptable: 406,
  rateLimited: 429,
  server: 500,
  malformed: 400,
  slowRequest: 408,
  headersTooLarge: 431,
};

const texts: Record<ErrorReason, string> = {
  badRequest: 'The request is invalid.',
  unauthorized: 'The API key is invalid or inactive.',
  notBusiness: 'This account is not a business account: it has no company and no VAT ID.',
  httpsOnly: 'This service is available over HTTPS only.',
  orderNotFound: 'There is no such order.',
  pathNotFound: 'There is no such resource.',
  method: 'This method is not allowed; use GET.',
  notAcceptable: 'This service answers with application/json only.',
  rateLimited: 'The rate limit is exceeded.',
  server: 'Something went wrong on the server.',
  malformed: 'This is not a valid HTTP request.',
  slowRequest: 'The request took too long to arrive.',
  headersTooLarge: 'The request headers are too large.',
};

const contentTypes: Record<Settings['contentType'], string> = {
  utf8: 'application/json; charset=utf-8',
  bare: 'application/json',
  html: 'text/html; charset=utf-8',
};

/** Returns 200 with `data` in the envelope (§1). */
export const success = (data: unknown, settings: Settings, summary: AnswerSummary = {}): MockResponse => ({
  ...envelope(200, `"data":${JSON.stringify(data)}`, settings),
  summary,
});

/** Returns an error in the envelope (§1, §7). @param detail a sentence appended to the error text */
export const errorResponse = (reason: ErrorReason, settings: Settings, detail?: string): MockResponse => {
  const text = settings.errorText || [texts[reason], detail].filter(Boolean).join(' ');
  const response: MockResponse = {
    ...envelope(statusOf[reason], `"error":${JSON.stringify(text)}`, settings),
    summary: { error: reason },
  };
  if (reason === 'method') response.headers.allow = 'GET';
  return response;
};

/** Returns 429 (§7, §8). @param waitMs ms until another request passes */
export const rateLimitResponse = (waitMs: number, settings: Settings): MockResponse => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return errorResponse('rateLimited', settings, `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`);
};

/** Returns an HTML error page like those of web servers and proxies. */
export const htmlPage = (status: number, title: string): MockResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html>\n<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>\n`,
});

export const redirect = (status: number, location: string): MockResponse => ({
  status,
  headers: { location, 'content-type': 'text/html; charset=utf-8' },
  body: '',
});

const statusText: Record<Settings['looseStatus'], (status: number) => string> = {
  integer: (status) => `"status":${status},`,
  string: (status) => `"status":"${status}",`,
  missing: () => '',
};

/** @param member the other member of the envelope, as JSON text */
const envelope = (status: number, member: string, settings: Settings): MockResponse => ({
  status,
  headers: { 'content-type': contentTypes[settings.contentType] },
  body: `{${statusText[settings.looseStatus](status)}${member}}`,
});
