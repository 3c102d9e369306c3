import { type Evidence, errorTexts, isFields } from '../evidence.ts';
import { common, type Finding, plural, seen, unseen } from '../finding.ts';

const answered = (evidence: Evidence) => evidence.answers.filter(({ status }) => status > 0);

/** U-41 */
export const gatewayErrors = (evidence: Evidence): Finding => {
  const found = answered(evidence).filter(
    ({ status, problem }) => (status === 429 || status === 503) && problem !== undefined,
  );
  return found.length === 0 ? unseen('no answer was a 429 or 503 without JSON') : seen(plural(found.length, 'answer'));
};

/** U-43 */
export const otherErrors = (evidence: Evidence): Finding => {
  if (answered(evidence).length === 0) return unseen('there was no answer');
  const odd = answered(evidence).filter(({ status, body, question }) => {
    if (status < 400 || question.method === 'HEAD') return status === 200 && isFields(body) && 'error' in body;
    return !isFields(body) || typeof body.error !== 'string' || Object.keys(body).length > 2;
  });
  const statuses = [...new Set(odd.map(({ status }) => status))].sort().join(', ');
  return odd.length === 0 ? seen('none') : seen(`${plural(odd.length, 'answer')} with status ${statuses}`);
};

/** U-58 */
export const serverErrors = (evidence: Evidence): Finding => {
  const statuses = [...new Set(answered(evidence).map(({ status }) => status))].filter((status) => status >= 500);
  return statuses.length === 0 ? unseen('no answer was a 5xx') : seen(`answered ${statuses.sort().join(', ')}`);
};

const german = /ungültig|überschritt|\b(nicht|keine?|fehler|anfrage|bestellung|dieser?|gibt es|ist|wurde|gefunden)\b/i;
const english = /\b(the|is|no|not|invalid|error|found|such|missing|unknown|exceeded)\b/i;

/** U-42 */
export const language = (evidence: Evidence): Finding => {
  const texts = errorTexts(evidence).map(({ text }) => text);
  if (texts.length === 0) return unseen('no error had an envelope');
  const isGerman = texts.filter((text) => german.test(text)).length * 2 > texts.length;
  if (isGerman) return seen('German', { lang: 'de' });
  return texts.some((text) => english.test(text)) ? seen('English', { lang: 'en' }) : seen('another language');
};

/** U-44 */
export const looseStatus = (evidence: Evidence): Finding => {
  const bodies = answered(evidence).filter(({ body }) => isFields(body) && ('data' in body || 'error' in body));
  const forms = bodies.map(({ status, body }) => {
    const value = (body as Record<string, unknown>).status;
    if (value === undefined) return 'missing';
    if (value === status) return 'integer';
    return value === String(status) ? 'string' : 'other';
  });
  const form = common(forms);
  if (forms.length === 0) return unseen('no answer had an envelope');
  const texts: Record<string, string> = { integer: 'an integer', string: 'a string', missing: 'missing' };
  return form && texts[form] ? seen(texts[form], { looseStatus: form }) : seen('different in different answers');
};
