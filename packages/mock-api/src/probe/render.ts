import type { Point } from './compare.ts';
import type { ProbeReport } from './probe.ts';

const docs = 'https://github.com/order-license/order-license-kit/blob/main/docs';

/** Returns a count with its noun: "1 order", "2 orders". */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Renders a report as text. @param width columns of the terminal */
export const renderReport = (report: ProbeReport, width = 110): string => {
  const { baseUrl, questions, maxQuestions, durationMs, stopped, rejected, readable, failed } = report;
  const broken = report.statements.filter(({ holds }) => !holds).map(({ id, text }) => `${id}  ${text}: no`);
  const flags = Object.entries(report.set).map(([name, value]) => `--set ${quoted(`${name}=${value}`)}`);
  const lines = [
    `Probe of ${baseUrl}: sent ${questions} of at most ${maxQuestions} requests in ${Math.round(durationMs / 1000)} s`,
    ...(stopped === undefined ? [] : [`Stopped early. ${stopped}`]),
    ...(readable ? [] : ['No response has the format that the API docs describe.']),
    ...section('REQUESTS WITHOUT A USABLE RESPONSE', failed),
    ...section(`STATEMENTS IN THE API DOCS THAT DO NOT HOLD (${docs}/statements.md)`, broken),
    ...(broken.length > 0 ? ['  Ask the shop which is wrong: its docs or its API.'] : []),
    ...section(`WHAT THE API DOES WHERE ITS DOCS LEAVE IT OPEN (${docs}/assumptions.md)`, report.points.map(lineOf)),
    ...(rejected === 0
      ? []
      : [
          '',
          `The API returned 429 to ${plural(rejected, 'request')} at the usual pace. If another program uses the key, ignore limit, window and windowMs.`,
        ]),
    ...section('NOT SHOWN BY THESE RESPONSES', report.notShown.length > 0 ? [report.notShown.join(', ')] : []),
    ...section(
      'OTHER DIFFERENCES FROM THE MOCK WITH THESE SETTINGS',
      report.differences.map(
        ({ place, service, mock }) => `${place}: ${service.join(' or ')}; the mock has ${mock.join(' or ') || 'none'}`,
      ),
    ),
    ...(report.points.length === 0
      ? ['', 'No settings are suggested, because no list of orders could be read.']
      : section(
          'TO TRY THE MOCK WITH THESE SETTINGS, RUN',
          ['order-license-mock', ...flags].join(' \\\n    ').split('\n'),
        )),
  ];
  return `${lines.flatMap((line) => wrap(line, width)).join('\n')}\n`;
};

/** One line for a setting: the questions, what the API does, whether the kit copes, and what to try in the mock. */
const lineOf = ({ points, setting, value, alike, service, kit, note }: Point): string => {
  const coping = { copes: 'The kit copes.', note, untested: 'The kit is not tested with this.' }[kit];
  const like = alike.length > 0 ? ` (or ${alike.map((one) => one || 'none').join(', ')})` : '';
  const choice = value === undefined ? `No value of ${setting} does this.` : `${setting}=${value || 'none'}${like}`;
  return `${points}  ${choice}  ${service[0] ?? ''}. ${coping}`;
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** Quotes a flag's value if a shell would change it. */
const quoted = (value: string): string => (/^[\w=.,-]+$/.test(value) ? value : `'${value}'`);

const wrap = (text: string, width: number, indent = `${/^ */.exec(text)?.[0] ?? ''}    `): string[] => {
  const cut = text.length <= width ? -1 : text.lastIndexOf(' ', width);
  return cut <= indent.length ? [text] : [text.slice(0, cut), ...wrap(indent + text.slice(cut + 1), width, indent)];
};
