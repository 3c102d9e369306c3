import type { Settings } from '../settings/settings.ts';
import { type ErrorReason, errors } from './errors.ts';
import type { AnswerSummary, MockResponse } from './http.ts';

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
  const [status, about] = errors[reason];
  const text = settings.errorText || [about, detail].filter(Boolean).join(' ');
  const response: MockResponse = {
    ...envelope(status, `"error":${JSON.stringify(text)}`, settings),
    summary: { error: reason },
  };
  if (reason === 'method') response.headers.allow = 'GET';
  return response;
};

/**
 * Returns 429 (§7, §8).
 * @param waitMs ms until another request is accepted
 */
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

/** @param member the member of the envelope that follows `status`, as JSON text */
const envelope = (status: number, member: string, settings: Settings): MockResponse => ({
  status,
  headers: { 'content-type': contentTypes[settings.contentType] },
  body: `{${statusText[settings.looseStatus](status)}${member}}`,
});
