import type { ProbeReport } from './report.ts';

const docs = 'https://github.com/order-license/order-license-kit/blob/main/docs';

/** Returns a count with its noun: "1 order", "2 orders". */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Renders a report as text. @param width columns of the terminal */
export const renderReport = (report: ProbeReport, width = 110): string => {
  const { baseUrl, questions, maxQuestions, durationMs, stopped, rejected, readable, failed, statements, settings } =
    report;
  const held = statements.filter(({ broken }) => broken === 0).map(({ id }) => id);
  const broken = statements
    .filter((statement) => statement.broken > 0)
    .map(({ id, text, broken, held }) => `${id}  ${text}: broken in ${broken} of ${plural(broken + held, 'case')}`);
  const hidden = settings.filter(({ state }) => state === 'notVisible').map(({ name }) => name);
  const seen = settings
    .filter(({ state }) => state === 'seen')
    .map(({ name, points, value, alike }) => {
      const others = alike.length > 0 ? `  (or ${alike.map((one) => one || 'none').join(', ')})` : '';
      return `${points.padEnd(15)} ${name}=${value || 'none'}${others}`;
    });
  const lines = [
    `Probe of ${baseUrl}: sent ${questions} of at most ${maxQuestions} requests in ${Math.round(durationMs / 1000)} s`,
    ...(stopped === undefined ? [] : [`Stopped early. ${stopped}`]),
    ...(readable ? [] : ['No response has the format that the API docs describe.']),
    ...section('REQUESTS WITHOUT A USABLE RESPONSE', failed),
    ...section(`STATEMENTS IN THE API DOCS THAT DO NOT HOLD (${docs}/statements.md)`, [
      ...broken,
      ...(broken.length > 0 ? ['Ask the shop which is wrong: its docs or its API.'] : []),
    ]),
    ...(readable ? ['', `Statements that hold across several responses (${held.length}): ${held.join(' ')}`] : []),
    ...section(`SETTINGS INFERRED FROM THE RESPONSES (${docs}/assumptions.md)`, seen),
    ...(rejected === 0
      ? []
      : [
          '',
          `The API returned 429 to ${plural(rejected, 'request')} at the usual pace. If another program uses the key, ignore window, windowMs and limit.`,
        ]),
    ...section('SETTINGS THAT CANNOT BE INFERRED FROM THE RESPONSES', hidden.length > 0 ? [hidden.join(', ')] : []),
    ...sayFlags(report),
  ];
  return `${lines.flatMap((line) => wrap(line, width)).join('\n')}\n`;
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

const sayFlags = ({ flags, settings, notCovered, mockKey }: ProbeReport): string[] => {
  if (settings.length === 0) return ['', 'No flags are suggested, because no list of orders could be read.'];
  const command = ['order-license-mock', ...flags.map(quoted)].join(' \\\n    ').replace(' \\\n    ', ' ').split('\n');
  const key =
    mockKey === 'business'
      ? []
      : [`and use the mock's API key ${mockKey}, because your account has no company or no VAT ID`];
  return [
    ...section(
      notCovered.length === 0
        ? 'TO MAKE THE MOCK RESPOND LIKE THE API, RUN'
        : 'FOR THE MOCK THAT RESPONDS MOST LIKE THE API, RUN',
      [...command, ...key],
    ),
    ...section(
      'DIFFERENCES THAT NO SETTING COVERS',
      notCovered.map(({ what, where: [where, ...more], service, mock }) => {
        const others = more.length === 0 ? '' : ` and ${more.length} more`;
        return `${what}: ${service.join(' or ')}; the mock has ${mock.join(' or ') || 'none'} (${where}${others})`;
      }),
    ),
  ];
};

/** Quotes a flag if a shell would change its value. */
const quoted = (flag: string): string =>
  /^--set [\w=.,-]+$/.test(flag) ? flag : flag.replace(/^--set (.*)$/, "--set '$1'");

const wrap = (text: string, width: number): string[] => {
  const indent = `${/^ */.exec(text)?.[0] ?? ''}    `;
  const cut = text.length <= width ? -1 : text.lastIndexOf(' ', width);
  return cut <= indent.length ? [text] : [text.slice(0, cut), ...wrap(indent + text.slice(cut + 1), width)];
};
