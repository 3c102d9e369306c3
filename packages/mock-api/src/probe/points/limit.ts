import { firstCount, nobodyCount } from '../ask/rate-limit.ts';
import { answerTo, type Evidence } from '../evidence.ts';
import { type Finding, seen, unseen } from '../finding.ts';

const documented = 60;

/** Returns the limit and the window that headers state. */
const stated = (evidence: Evidence): { limit?: number; windowMs?: number } => {
  for (const { headers } of evidence.answers) {
    const [, quota, seconds] = /;q=(\d{1,6})(?:;w=(\d{1,5}))?/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
    const limit = Number(quota ?? /^\d{1,6}$/.exec(headers.get('x-ratelimit-limit') ?? '')?.[0]);
    const isWindow = Number(seconds) >= 1 && Number(seconds) <= 86_400;
    if (limit > 0) return { limit, ...(isWindow ? { windowMs: Number(seconds) * 1000 } : {}) };
  }
  return {};
};

/** Returns how many requests the limit allows. A bucket is full after the pause and refills during the requests. */
const passedOf = ({ limit }: Evidence): number | undefined => {
  if (!limit?.refused) return undefined;
  if (limit.window !== 'bucket') return limit.passed;
  return Math.floor((limit.passed - firstCount + 1) / (1 + limit.seconds / 60));
};

/** Whether 404s don't count: the requests beyond the stated or documented limit are exactly as many as the 404s. */
const isFree = (evidence: Evidence): boolean =>
  passedOf(evidence) === (stated(evidence).limit ?? documented) + nobodyCount;

/** U-36 */
export const counted = (evidence: Evidence): Finding => {
  const passed = passedOf(evidence);
  if (passed === undefined) return unseen('no request was refused');
  const free = isFree(evidence);
  return seen(free ? `404s do not count: ${nobodyCount} more requests passed` : '404s count like other answers', {
    count: free ? 'successes' : 'recognised',
  });
};

const windowTexts: Record<string, string> = {
  lockout: 'requests pass again 60 s after the first 429',
  fixed: 'requests pass again 60 s after the first request of the window',
  minute: 'requests pass again when the next clock minute starts',
  sliding: 'each request stops counting after 60 s',
  slidingStrict: 'each request stops counting after 60 s, including refused ones',
  bucket: 'requests become available one by one',
  extend: 'requests pass again 60 s after the last 429',
};

/** U-37 */
export const windowModel = ({ limit }: Evidence): Finding => {
  if (!limit) return unseen('not all rate-limit questions were asked');
  if (!limit.refused) return unseen(`none of ${limit.passed} requests was refused`);
  if (!limit.window) return unseen(limit.unclear ?? 'no model of the mock fits');
  return seen(windowTexts[limit.window] as string, { window: limit.window });
};

/** U-38 */
export const windowLength = (evidence: Evidence): Finding => {
  const { windowMs } = stated(evidence);
  if (windowMs)
    return seen(`${windowMs / 1000} s, according to the RateLimit-Policy header`, { windowMs: String(windowMs) });
  if (!evidence.limit?.window) return unseen('no header states it, and no window was observed');
  return seen('60 s matches what was observed', { windowMs: '60000' });
};

/** U-39 */
export const limitSize = (evidence: Evidence): Finding => {
  const { limit } = stated(evidence);
  if (limit) return seen(`${limit} requests, according to a header`, { limit: String(limit) });
  const passed = passedOf(evidence);
  if (passed !== undefined) {
    const size = isFree(evidence) ? passed - nobodyCount : passed;
    return seen(`${size} requests pass, the next one is refused`, { limit: String(size) });
  }
  if (evidence.limit) {
    return seen(`all of ${evidence.limit.passed} requests passed: no limit, or a higher one`, { limit: 'off' });
  }
  const early = evidence.answers.findIndex(({ status }) => status === 429);
  if (early >= 0) return seen(`a 429 after ${early} requests at one a second; another program may use the key`);
  return unseen('no header states it');
};

/** U-40 */
export const rateHeaders = (evidence: Evidence): Finding => {
  const all = evidence.answers;
  const some = (name: string) => all.some(({ headers }) => headers.has(name));
  if (some('ratelimit') || some('ratelimit-policy')) return seen('RateLimit', { rateHeaders: 'draft' });
  if (some('x-ratelimit-limit') || some('x-ratelimit-remaining')) {
    return seen('X-RateLimit-…', { rateHeaders: 'x' });
  }
  const refused = all.filter(({ status }) => status === 429);
  if (refused.length === 0) return unseen('none on other answers, and no answer was a 429');
  const hint = refused.map(({ headers }) => headers.get('retry-after')).find((value) => value !== null);
  if (!hint) return seen('none, not even on a 429', { rateHeaders: 'none' });
  return /^\d+$/.test(hint)
    ? seen('Retry-After in seconds on a 429', { rateHeaders: 'retryAfter' })
    : seen('Retry-After as a date on a 429', { rateHeaders: 'retryAfterDate' });
};

const steps = ['auth', 'limit', 'path', 'params'] as const;
type Step = (typeof steps)[number];

/** U-35: which error takes precedence, from requests with two mistakes. */
export const precedence = (evidence: Evidence): Finding => {
  const status = (name: Parameters<typeof answerTo>[1]) => answerTo(evidence, name)?.status;
  const facts: [Step, Step][] = [];
  const fact = (one: Step, other: Step, found: number | undefined, first: number, second: readonly number[]): void => {
    if (found === first) facts.push([one, other]);
    else if (found !== undefined && second.includes(found)) facts.push([other, one]);
  };
  fact('auth', 'path', status('pathNoKey'), 401, [404]);
  fact('auth', 'params', status('wrongNoKey'), 401, [400]);
  if (status('head') !== 200) fact('path', 'params', status('headWrong'), 405, [400]);
  if (evidence.limit?.window !== 'bucket') {
    fact('limit', 'path', status('limitPath'), 429, [404]);
    fact('limit', 'params', status('limitWrong'), 429, [400]);
  }
  if (facts.length === 0) return unseen('no answer showed which error takes precedence');
  const order = orders.find((one) => facts.every(([first, then]) => one.indexOf(first) < one.indexOf(then)));
  const text = facts.map(([first, then]) => `${codes[first]} before ${codes[then]}`).join(', ');
  if (!order) return seen(`${text}; the mock has no such sequence`);
  return seen(text, { order: order.flatMap((step) => (step === 'auth' ? ['auth', 'business'] : [step])).join(',') });
};

const codes: Record<Step, string> = { auth: '401', limit: '429', path: '404 and 405', params: '400' };

const permute = (left: readonly Step[]): Step[][] =>
  left.length === 0
    ? [[]]
    : left.flatMap((step) => permute(left.filter((one) => one !== step)).map((rest) => [step, ...rest]));

/** All orders with `auth` before `limit`, the default first. */
const orders = permute(steps).filter((order) => order.indexOf('auth') < order.indexOf('limit'));
