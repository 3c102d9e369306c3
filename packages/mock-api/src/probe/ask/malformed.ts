import type { Answer, Asker } from './asker.ts';
import type { Listed } from './choose-orders.ts';
import type { Question, QuestionName } from './questions.ts';

/** Sends malformed requests. Uses only GET, HEAD and OPTIONS, so nothing can change. */
export const askMalformed = async (asker: Asker, [listed]: readonly Listed[]): Promise<void> => {
  const queries: [QuestionName, string][] = [
    ['pageZero', '/orders?page=0'],
    ['perPageZero', '/orders?per_page=0'],
    ['perPageAbove', '/orders?per_page=51'],
    ['pageWord', '/orders?page=abc'],
    ['pageEmpty', '/orders?page='],
    ['statusUnknown', '/orders?status=order-license-probe'],
    ['statusEmpty', '/orders?status='],
    ['duplicate', '/orders?per_page=1&per_page=2'],
    ['parameter', '/orders?order_license_probe=1'],
    ['idWord', '/orders/abc'],
    ...(listed ? [['idTail', `/orders/${listed.id}abc`] as [QuestionName, string]] : []),
    ['idLong', `/orders/${'9'.repeat(30)}`],
    ['slashEnd', '/me/'],
    ['slashTwice', '//me'],
    ['path', unknownPath],
  ];
  for (const [name, path] of queries) await asker.ask({ name, path });

  const wrong = wrongPath(asker.answers);
  const others: Question[] = [
    { name: 'head', path: '/me', method: 'HEAD' },
    ...(wrong ? [{ name: 'headWrong', path: wrong, method: 'HEAD' } as const] : []),
    { name: 'options', path: '/me', method: 'OPTIONS', headers: preflight, as: 'noKey' },
    { name: 'accept', path: '/me', headers: { accept: 'text/html' } },
    { name: 'scheme', path: '/me', as: 'lowerCase' },
    { name: 'noKey', path: '/me', as: 'noKey' },
    { name: 'wrongKey', path: '/me', as: 'wrongKey' },
    { name: 'pathNoKey', path: unknownPath, as: 'noKey' },
    ...(wrong ? [{ name: 'wrongNoKey', path: wrong, as: 'noKey' } as const] : []),
  ];
  for (const question of others) await asker.ask(question);
};

export const unknownPath = '/order-license-probe';
const preflight = {
  origin: 'https://order-license-probe.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
};

/** Returns a path that this service answers with 400, to see which errors take precedence. */
export const wrongPath = (answers: readonly Answer[]): string | undefined =>
  answers.find(({ status, question }) => {
    return status === 400 && (question.method ?? 'GET') === 'GET' && !question.as && question.name !== 'beyond';
  })?.question.path;
