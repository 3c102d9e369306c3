import type { Answer } from '../ask/asker.ts';
import { isFields } from '../evidence.ts';
import { shapeOf } from '../shape.ts';
import type { Note } from './note.ts';

/** Checks the envelope of an answer (§1, §7). */
export const checkEnvelope = ({ status, body, problem, question }: Answer, note: Note): void => {
  const hasEnvelope = status === 200 || [400, 401, 403, 404, 429, 500].includes(status);
  if (!hasEnvelope || question.method === 'HEAD' || question.method === 'OPTIONS') return;
  note('S-05', problem === undefined, `${status} with ${problem}`);
  if (problem !== undefined) return;
  if (!isFields(body)) {
    note(status === 200 ? 'S-09' : 'S-10', false, `the body of a ${status} is ${shapeOf(body)}`);
    return;
  }
  const further = Object.keys(body).filter((name) => name !== 'status' && name !== (status === 200 ? 'data' : 'error'));
  const rest = further.length > 0 ? ', with additional fields' : '';
  if (status === 200) {
    note('S-09', isFields(body.data) && rest === '', `data is ${shapeOf(body.data)}${rest}`);
  } else {
    const isText = typeof body.error === 'string' && body.error !== '';
    note('S-10', isText && rest === '', `error is ${shapeOf(body.error)}${rest}`);
  }
  note('S-13', body.status === status, `status is ${body.status === undefined ? 'missing' : sayStatus(body.status)}`);
};

const sayStatus = (value: unknown): string => (typeof value === 'number' ? 'another number' : shapeOf(value));
