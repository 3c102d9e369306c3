import { call } from './call.js';
import { element, find } from './dom.js';
import { onSubmit } from './form.js';

const maxRows = 100;
const maxKept = 1000;
const [body, news, empty, only] = ['tbody', '#violation-news', '#journal-empty', '#only-violations'].map((selector) =>
  find(`#journal ${selector}`),
);
const noNews = news.textContent;
let rules;
/** The newest shown entry. */
let last;
let shown = [];

/** Shows new entries, or all entries if the journal was cleared. */
export const pollJournal = async () => {
  const { entries: read } = await call('GET', `journal?after=${Math.max(0, (last?.number ?? 0) - 1)}`);
  rules ??= await call('GET', 'rules');
  const goesOn = last !== undefined && JSON.stringify(read[0]) === JSON.stringify(last);
  if (goesOn) {
    add(read.slice(1));
    return;
  }
  const entries = last === undefined || last.number < 2 ? read : (await call('GET', 'journal')).entries;
  shown = [];
  last = undefined;
  body.replaceChildren();
  add(entries);
  if (entries.length === 0) announce([]);
};

const add = (entries) => {
  empty.hidden = shown.length + entries.length > 0;
  if (entries.length === 0) return;
  last = entries.at(-1);
  const broken = entries.filter(({ violations }) => violations.length > 0);
  if (broken.length > 0 || shown.length === 0) announce(broken);
  shown = [...entries.toReversed(), ...shown].slice(0, maxKept);
  show();
};

const announce = (broken) => {
  const sentence = sentenceOf(broken);
  if (news.textContent === sentence) return; // otherwise screen readers repeat it
  news.textContent = sentence;
  news.classList.toggle('problem', broken.length > 0);
};

const sentenceOf = (broken) => {
  const newest = broken.at(-1);
  if (!newest) return noNews;
  const what = newest.violations.map(({ point, text }) => `${point} (${text})`).join(', ');
  const more = broken.length > 1 ? `${broken.length} requests broke rules of the API docs. ` : '';
  return `${more}Request ${newest.number} broke ${what}.`;
};

const show = () => {
  const entries = only.checked ? shown.filter(({ violations }) => violations.length > 0) : shown;
  body.replaceChildren(...entries.slice(0, maxRows).flatMap(rowsOf));
};
only.addEventListener('change', show);

const rowsOf = (entry) => {
  const { number, at, method, path, query, key = '', status, violations } = entry;
  const cells = [
    number,
    new Date(at).toISOString().slice(11, 19),
    status === 0 ? 'none' : status,
    element('code', {}, `${method} ${path}${query && `?${query}`}`),
    key,
    answerText(entry),
  ];
  const row = element('tr', {}, ...cells.map((cell) => element('td', {}, cell)));
  return [row, ...violations.map(explain)];
};

/** The violation, and the rule that it breaks. */
const explain = ({ point, text }) => {
  const what = element('strong', { class: 'problem' }, `${point}: ${text}. `);
  const rule = element('span', { class: 'quiet' }, ...codeParts(rules[point] ?? ''));
  return element('tr', { class: 'explained' }, element('td', {}), element('td', { colspan: 5 }, what, rule));
};

const codeParts = (sentence) => sentence.split('`').map((part, n) => (n % 2 === 1 ? element('code', {}, part) : part));

const answerText = ({ answer = {}, fault }) => {
  const { error, orders, total, orderId, licenseCodes } = answer;
  const parts = [];
  if (error !== undefined) parts.push(error);
  if (orders !== undefined) parts.push(`${orders} of ${total} orders`);
  if (orderId !== undefined) parts.push(`order ${orderId}, ${licenseCodes} ${licenseCodes === 1 ? 'code' : 'codes'}`);
  if (fault !== undefined) parts.push(`fault ${fault}`);
  return parts.join(', ');
};

onSubmit('#clear-journal', () => call('DELETE', 'journal'));
