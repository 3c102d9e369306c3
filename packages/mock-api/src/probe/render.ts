import type { Point } from './compare.ts';
import type { ProbeReport } from './probe.ts';

const docs = 'https://github.com/order-license/order-license-kit/blob/main/docs';

/** Renders a report as text. */
export const renderReport = (report: ProbeReport): string => {
  const { baseUrl, questions, maxQuestions, durationMs, stopped, rejected, readable, failed, points } = report;
  const broken = report.statements.filter(({ holds }) => !holds);
  const flags = Object.entries(report.set).map(([name, value]) => ` --set ${quoted(`${name}=${value}`)}`);
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  return [
    `Probe of ${baseUrl}: sent ${questions} of at most ${maxQuestions} requests in ${Math.round(durationMs / 1000)} s\n`,
    stopped ? `Stopped early. ${stopped}\n` : '',
    readable ? '' : 'No response has the format that the API docs describe.\n',
    section('REQUESTS WITHOUT A USABLE RESPONSE', failed),
    section(
      `STATEMENTS IN THE API DOCS THAT DO NOT HOLD (${docs}/statements.md); ask the shop which is wrong`,
      broken.map(({ id, text, service }) => `${id}  ${text}: ${joined(service)}`),
    ),
    section(`WHAT THE API DOES WHERE ITS DOCS LEAVE IT OPEN (${docs}/assumptions.md)`, points.map(lineOf)),
    section(
      'RESPONSES WITH STATUS 429 AT THE USUAL PACE',
      rejected > 0 ? [`${rejected}. If another program uses the key, ignore limit, window and windowMs.`] : [],
    ),
    section('NOT SHOWN BY THESE RESPONSES', points.length > 0 ? [report.notShown.join(', ')] : []),
    points.length > 0
      ? section('TO TRY THE MOCK WITH THESE SETTINGS, RUN', [`order-license-mock${flags.join('')}`])
      : '\nNo settings are suggested, because no list of orders could be read.\n',
  ].join('');
};

/** One line for an open question: the value to try in the mock, what the API does, and whether the kit copes. */
const lineOf = ({ id, setting, value, alike, service, kit, note }: Point): string => {
  const coping = { copes: 'The kit copes.', note, untested: 'The kit is not tested with this.' }[kit];
  const choice = value === undefined ? `no value of ${setting}` : [value || 'none', ...alike].join(' or ');
  return `${id}  ${setting}=${choice}  ${joined(service)}. ${coping}`;
};

/** Joins forms of the same part, as in `created_at: date or null`. */
const joined = (forms: readonly string[]): string => {
  const parts = Map.groupBy(forms, (form) => form.slice(0, form.lastIndexOf(': ')));
  return Array.from(
    parts,
    ([part, all]) => `${part}: ${all.map((form) => form.slice(part.length + 2)).join(' or ')}`,
  ).join('; ');
};

/** Quotes a flag's value if a shell would change it. */
const quoted = (value: string): string => (/^[\w=.,-]+$/.test(value) ? value : `'${value}'`);
