import { answerTo, type Evidence, isFields, usersOf } from '../evidence.ts';
import { checkEnvelope } from './envelope.ts';
import { checkLists } from './lists.ts';
import { type Note, type StatementId, statementTexts } from './note.ts';
import { checkOrders } from './orders.ts';

export interface StatementResult {
  id: StatementId;
  text: string;
  held: number;
  broken: number;
  /** What was seen instead, each once. */
  instead: string[];
}

/** Checks the answers against the API docs. Leaves out statements that no answer showed. */
export const checkStatements = (evidence: Evidence): StatementResult[] => {
  const results = new Map<StatementId, StatementResult>();
  const note: Note = (id, holds, instead) => {
    const result = results.get(id) ?? { id, text: statementTexts[id], held: 0, broken: 0, instead: [] };
    results.set(id, result);
    if (holds) result.held++;
    else result.broken++;
    if (!holds && !result.instead.includes(instead)) result.instead.push(instead);
  };
  for (const answer of evidence.answers) checkEnvelope(answer, note);
  checkUser(evidence, note);
  checkLists(evidence, note);
  checkOrders(evidence, note);
  checkRefusals(evidence, note);
  return [...results.values()].sort((one, other) => one.id.localeCompare(other.id));
};

const checkUser = (evidence: Evidence, note: Note): void => {
  const read = usersOf(evidence);
  for (const user of read) {
    const wrong = ['email', 'name', 'company', 'vat_id', 'api_version'].filter(
      (name) => typeof user[name] !== 'string',
    );
    if (!Number.isInteger(user.user_id)) wrong.push('user_id');
    note('S-15', wrong.length === 0, `wrong type or missing: ${wrong.join(', ')}`);
    if (typeof user.api_version !== 'string') continue;
    note('S-16', /^\d+\.\d+$/.test(user.api_version), 'another form');
    note('S-86', user.api_version === '1.0', 'another version');
  }
  const [one, other] = read;
  if (one && other) note('S-02', toText(one) === toText(other), 'GET /me differs');
};

const toText = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));

const checkRefusals = (evidence: Evidence, note: Note): void => {
  const nobody = answerTo(evidence, 'nobody')?.status;
  if (nobody) note('S-57', nobody === 404, `answered ${nobody}`);
  for (const [id, name] of [
    ['S-68', 'wrongKey'],
    ['S-69', 'noKey'],
  ] as const) {
    const status = answerTo(evidence, name)?.status;
    if (status) note(id, status === 401, `answered ${status}`);
  }
  for (const { status, body } of evidence.answers) {
    if (status !== 401 || !isFields(body) || typeof body.error !== 'string') continue;
    note('S-73', /key/i.test(body.error) && /invalid|ungültig/i.test(body.error), 'another text');
  }
  const { limit } = evidence;
  if (!limit) return;
  note('S-78', limit.passed >= 60, 'fewer passed');
  if (limit.passed >= 60) note('S-79', limit.refused && limit.passed === 60, 'more passed');
  if (limit.window) note('S-82', limit.window === 'lockout', 'requests pass again at another time');
};
