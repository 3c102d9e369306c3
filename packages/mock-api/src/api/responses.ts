import type { Dialect } from '../settings/settings.ts';
import type { MockResponse } from './http.ts';

/** Why a request is not answered with data. */
export type Refusal =
  | 'badRequest'
  | 'unauthorized'
  | 'notBusiness'
  | 'orderNotFound'
  | 'pathNotFound'
  | 'method'
  | 'notAcceptable'
  | 'httpsOnly'
  | 'rateLimited'
  | 'server'
  | Malformed;

/** Why bytes are not read as a request at all. */
export type Malformed = 'malformed' | 'slowRequest' | 'headersTooLarge';

const statusOf: Record<Refusal, number> = {
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

const texts: Record<Dialect['lang'], Record<Refusal, string>> = {
  en: {
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
  },
  de: {
    badRequest: 'Die Anfrage ist ungültig.',
    unauthorized: 'Der API-Key ist ungültig oder inaktiv (invalid or inactive key).',
    notBusiness: 'Dieses Konto ist kein Geschäftskonto: Firma und USt-IdNr. fehlen.',
    httpsOnly: 'Dieser Dienst ist nur über HTTPS erreichbar.',
    orderNotFound: 'Diese Bestellung gibt es nicht.',
    pathNotFound: 'Diese Ressource gibt es nicht.',
    method: 'Diese Methode ist nicht erlaubt; nur GET.',
    notAcceptable: 'Dieser Dienst antwortet nur mit application/json.',
    rateLimited: 'Das Anfragelimit ist überschritten.',
    server: 'Auf dem Server ist ein Fehler aufgetreten.',
    malformed: 'Das ist keine gültige HTTP-Anfrage.',
    slowRequest: 'Die Anfrage kam zu langsam an.',
    headersTooLarge: 'Die Header der Anfrage sind zu groß.',
  },
};

const contentTypes: Record<Dialect['contentType'], string> = {
  utf8: 'application/json; charset=utf-8',
  bare: 'application/json',
  html: 'text/html; charset=utf-8',
};

/** 200 with `data` in the envelope (§1). */
export const success = (data: unknown, dialect: Dialect): MockResponse =>
  envelope(200, `"data":${JSON.stringify(data)}`, dialect);

/** An error in the envelope (§1, §7). @param detail a sentence added to the text */
export const refusal = (reason: Refusal, dialect: Dialect, detail?: string): MockResponse => {
  const text = dialect.errorText || [texts[dialect.lang][reason], detail].filter(Boolean).join(' ');
  const response = envelope(statusOf[reason], `"error":${JSON.stringify(text)}`, dialect);
  if (reason === 'method') response.headers.allow = allowedMethods(dialect);
  if (reason === 'unauthorized' && dialect.wwwAuthenticate === 'on') response.headers['www-authenticate'] = 'Bearer';
  return response;
};

/** 429 (§7, §8). @param waitMs ms until the limit lets more through */
export const rateLimitRefusal = (waitMs: number, dialect: Dialect): MockResponse => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = {
    en: `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    de: `Bitte in ${seconds} Sekunde${seconds === 1 ? '' : 'n'} erneut versuchen.`,
  };
  return refusal('rateLimited', dialect, detail[dialect.lang]);
};

/** The methods that the dialect serves, as `Allow` lists them. */
export const allowedMethods = ({ head, cors }: Dialect): string =>
  ['GET', ...(head === 'on' ? ['HEAD'] : []), ...(cors === 'on' ? ['OPTIONS'] : [])].join(', ');

/** A page as web servers and proxies send it. */
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

const statusText: Record<Dialect['looseStatus'], (status: number) => string> = {
  integer: (status) => `"status":${status},`,
  string: (status) => `"status":"${status}",`,
  missing: () => '',
};

/** @param member the other member of the envelope, as JSON text */
const envelope = (status: number, member: string, dialect: Dialect): MockResponse => ({
  status,
  headers: { 'content-type': contentTypes[dialect.contentType] },
  body: `{${statusText[dialect.looseStatus](status)}${member}}`,
});
