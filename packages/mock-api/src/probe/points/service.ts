import type { Answer } from '../ask/asker.ts';
import { answerTo, type Evidence, isFields } from '../evidence.ts';
import { common, type Finding, plural, seen, unseen } from '../finding.ts';
import { answered } from './list.ts';

const read = (evidence: Evidence): Answer[] => evidence.answers.filter(({ status }) => status > 0);
const successes = (evidence: Evidence): Answer[] => evidence.answers.filter(({ status }) => status === 200);
const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304;

/** U-27 */
export const trailingSlash = (evidence: Evidence): Finding => {
  const [end, twice] = [answerTo(evidence, 'slashEnd')?.status, answerTo(evidence, 'slashTwice')?.status];
  if (end === undefined || twice === undefined) return unseen('not asked');
  const style = (status: number) =>
    status === 404 ? '404' : status === 200 ? 'accept' : isRedirect(status) ? 'redirect' : 'other';
  const form = common([style(end), style(twice)]);
  const text = `at the end: ${answered(end)}; doubled: ${answered(twice)}`;
  return form && form !== 'other' ? seen(text, { trailingSlash: form }) : seen(text);
};

/** U-28 */
export const unknownPath = (evidence: Evidence): Finding => {
  const answer = answerTo(evidence, 'path');
  if (!answer) return unseen('not asked');
  const { status, problem } = answer;
  if (status !== 404) return seen(answered(status));
  if (problem === 'HTML') return seen('404 as an HTML page', { unknownPath: 'html' });
  return problem ? seen(`404 with ${problem}`) : seen('404 in JSON', { unknownPath: 'json' });
};

/** U-29 */
export const methods = (evidence: Evidence): Finding => {
  const origin = answerTo(evidence, 'meOrigin');
  const [head, options] = [answerTo(evidence, 'head')?.status, answerTo(evidence, 'options')?.status];
  if (!origin) return unseen('GET /me with an Origin header was not answered');
  const cors = origin.headers.has('access-control-allow-origin');
  const parts = [`web pages ${cors ? 'may' : 'may not'} read answers`];
  parts.push(head === undefined ? 'HEAD and OPTIONS are asked with --with-malformed' : `HEAD ${answered(head)}`);
  if (options !== undefined) parts.push(`OPTIONS ${answered(options)}`);
  return seen(parts.join('; '), {
    cors: cors ? 'on' : 'off',
    ...(head === undefined ? {} : { head: head === 200 ? 'on' : 'off' }),
  });
};

/** U-31 */
export const plainHttp = (evidence: Evidence): Finding => {
  if (evidence.baseUrl.startsWith('https:')) {
    return unseen('the probe does not send the key over plain HTTP');
  }
  const moved = evidence.answers.find(
    ({ status, headers }) => isRedirect(status) && headers.get('location')?.startsWith('https:'),
  );
  if (moved) return seen(`redirected to https with ${moved.status}`, { httpsOnly: 'redirect' });
  return successes(evidence).length > 0
    ? seen('served over plain HTTP', { httpsOnly: 'off' })
    : unseen('no answer was a 200');
};

/** U-32 */
export const accept = (evidence: Evidence): Finding => {
  const answer = answerTo(evidence, 'accept');
  if (!answer) return unseen('not asked');
  if (answer.status === 406) return seen('answered 406', { accept: '406' });
  if (answer.status !== 200) return seen(answered(answer.status));
  return answer.problem === 'HTML'
    ? seen('an HTML page', { accept: 'html' })
    : seen('ignored: the answer is JSON', { accept: 'ignore' });
};

/** U-33 */
export const authScheme = (evidence: Evidence): Finding => {
  const status = answerTo(evidence, 'scheme')?.status;
  if (status === undefined) return unseen('not asked');
  if (status === 200) return seen('"bearer" in lower case is accepted', { authScheme: 'insensitive' });
  return status === 401 ? seen('"bearer" in lower case gets 401', { authScheme: 'exact' }) : seen(answered(status));
};

/** Finds out whether answers with this status have a header. */
const sentHeader = (
  { answers }: Evidence,
  status: number,
  header: string,
  setting: 'wwwAuthenticate' | 'dateHeader',
): Finding => {
  const found = answers.filter((answer) => answer.status === status);
  if (found.length === 0) return unseen(`no answer was a ${status}`);
  const isSent = found.some(({ headers }) => headers.has(header));
  return seen(isSent ? 'sent' : 'not sent', { [setting]: isSent ? 'on' : 'off' });
};

/** U-34 */
export const wwwAuthenticate = (evidence: Evidence): Finding =>
  sentHeader(evidence, 401, 'www-authenticate', 'wwwAuthenticate');

/** U-49 */
export const causeOf401 = (evidence: Evidence): Finding => {
  const texts = ['noKey', 'wrongKey'].flatMap((name) => {
    const body = answerTo(evidence, name as 'noKey' | 'wrongKey')?.body;
    return isFields(body) && typeof body.error === 'string' ? [body.error] : [];
  });
  if (texts.length < 2) return unseen('needs a 401 with an envelope, without a key and with a wrong one');
  return seen(`no key and a wrong key get ${common(texts) === undefined ? 'different texts' : 'the same text'}`);
};

/** U-55 */
export const caching = (evidence: Evidence): Finding => {
  const me = answerTo(evidence, 'me');
  if (me?.status !== 200) return unseen('GET /me was not answered with 200');
  if (!me.headers.has('etag')) return seen('no ETag', { caching: 'none' });
  const again = answerTo(evidence, 'meUnchanged')?.status;
  if (again === 304) return seen('an ETag, and 304 for If-None-Match', { caching: 'etag' });
  return again === undefined ? seen('an ETag') : seen(`an ETag, but ${again} for If-None-Match`);
};

/** U-56 */
export const compression = (evidence: Evidence): Finding => {
  const codings = new Set(successes(evidence).map(({ headers }) => headers.get('content-encoding') ?? 'off'));
  if (codings.size === 0) return unseen('no answer was a 200');
  const used = [...codings].filter((coding) => coding !== 'off' && coding !== 'identity');
  const coding = used.find((name) => name === 'gzip' || name === 'br');
  if (used.length === 0) return seen('not compressed, although gzip and br were offered', { compress: 'off' });
  return coding && used.length === 1 ? seen(coding, { compress: coding }) : seen('a coding other than gzip or br');
};

/** The header says 0 for any time below a second, so use this value. */
const shortKeepAliveMs = 500;

/** U-57 */
export const keepAlive = (evidence: Evidence): Finding => {
  const answer = successes(evidence).at(-1);
  if (!answer) return unseen('no answer was a 200');
  if (/\bclose\b/i.test(answer.headers.get('connection') ?? '')) {
    return seen('closed after each answer', { keepAliveMs: '0' });
  }
  const seconds = /\btimeout=(\d{1,5})\b/.exec(answer.headers.get('keep-alive') ?? '')?.[1];
  if (seconds === undefined) return unseen('the answers have no Keep-Alive header');
  const ms = Math.min(600_000, Number(seconds) * 1000) || shortKeepAliveMs;
  return seen(
    `open for ${Number(seconds) === 0 ? 'less than a second' : plural(Number(seconds), 'second')}, according to the Keep-Alive header`,
    { keepAliveMs: String(ms) },
  );
};

/** U-61 */
export const certificate = (evidence: Evidence): Finding => {
  const answers = read(evidence);
  if (!evidence.baseUrl.startsWith('https:')) return unseen('the address uses plain HTTP');
  if (answers.length > 0) return seen('accepted by Node');
  const code = evidence.answers.findLast(({ errorCode }) => errorCode)?.errorCode;
  return seen(`no connection${code ? ` (${code})` : ''}`);
};

/** U-62 */
export const dateHeader = (evidence: Evidence): Finding => sentHeader(evidence, 200, 'date', 'dateHeader');

/** U-45 */
export const contentType = (evidence: Evidence): Finding => {
  const types = successes(evidence)
    .filter(({ body }) => body !== undefined)
    .map(({ headers }) => (headers.get('content-type') ?? '').toLowerCase().replace(/\s|"/g, ''));
  if (types.length === 0) return unseen('no answer was a 200 with JSON');
  const styles: Record<string, string> = {
    'application/json;charset=utf-8': 'utf8',
    'application/json': 'bare',
    'text/html;charset=utf-8': 'html',
    'text/html': 'html',
  };
  const type = common(types);
  const style = type === undefined ? undefined : styles[type];
  if (style && type) return seen(type, { contentType: style });
  return seen(type && /^[a-z]+\/[a-z.+-]{1,40}$/.test(type) ? type : 'another type, or several');
};
