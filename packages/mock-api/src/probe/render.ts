import type { Difference, ProbeReport } from './report.ts';
import type { SettingResult } from './search.ts';

const docs = 'https://github.com/order-license/order-license-kit/blob/main/docs';

/** "1 order", "2 orders". */
export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Renders a report as text. @param width columns of the terminal */
export const renderReport = (report: ProbeReport, width = 110): string => {
  const { baseUrl, questions, maxQuestions, durationMs, stopped, failed, readable, settings } = report;
  const lines = [
    `Probe of ${baseUrl}: ${questions} of at most ${maxQuestions} questions in ${Math.round(durationMs / 1000)} s`,
    ...(stopped === undefined ? [] : [`Stopped early. ${stopped}`]),
    ...(readable ? [] : ['No response could be read as the API docs describe it.']),
    ...section('NO USABLE RESPONSE', failed),
    ...(readable ? sayStatements(report) : []),
    ...(settings.length === 0 ? [] : saySettings(settings)),
    '',
    ...sayFlags(report),
  ];
  return `${lines.flatMap((line) => wrap(line, width)).join('\n')}\n`;
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

const sayStatements = ({ statements }: ProbeReport): string[] => {
  const broken = statements.filter((statement) => statement.broken > 0);
  const held = statements.filter((statement) => statement.broken === 0);
  return [
    ...section(`${plural(broken.length, 'STATEMENT')} OF THE API DOCS DO NOT HOLD (${docs}/statements.md)`, [
      ...broken.map(
        ({ id, text, broken: count, held: rest }) => `${id}  ${text}: broken in ${count} of ${count + rest}`,
      ),
      ...(broken.length === 0 ? [] : ['Ask the API provider whether the docs or the service are wrong.']),
    ]),
    '',
    `${plural(held.length, 'statement')} about several responses hold: ${held.map(({ id }) => id).join(' ')}`,
  ];
};

const saySettings = (settings: readonly SettingResult[]): string[] => {
  const of = (wanted: SettingResult['state']) => settings.filter(({ state }) => state === wanted);
  const names = (wanted: SettingResult['state']) =>
    of(wanted)
      .map(({ name }) => name)
      .join(', ');
  return [
    ...section(
      `SETTINGS OF THE MOCK THAT SHOW (${docs}/assumptions.md)`,
      of('seen').map(({ name, points, value, alike }) => {
        const others =
          alike.length === 0 ? '' : `  (or ${alike.slice(0, 4).join(', ')}${alike.length > 4 ? ', …' : ''})`;
        return `${points.padEnd(15)} ${name}=${value || 'none'}${others}`;
      }),
    ),
    ...section(
      'NOT ASKED',
      names('notAsked') === '' ? [] : [`${names('notAsked')}: use --with-malformed and --with-rate-limit`],
    ),
    ...section('NOT VISIBLE IN THESE RESPONSES', names('notVisible') === '' ? [] : [names('notVisible')]),
  ];
};

const sayFlags = ({ flags, settings, notCovered, mockKey }: ProbeReport): string[] => {
  if (settings.length === 0) return ['No flags: no list was read.'];
  const command = `  order-license-mock ${flags.map(quoted).join(' \\\n    ')}`.trimEnd().split('\n');
  if (mockKey !== 'business')
    command.push(`  and its API key ${mockKey}, since the account lacks a company or a VAT ID`);
  if (notCovered.length === 0) return ['THE MOCK LOOKS THE SAME WITH', ...command];
  return ['THE CLOSEST FLAGS', ...command, '', 'NOT COVERED', ...alike(notCovered).flatMap(sayDifference)];
};

/** Says once what differs in the same way in many responses. */
const alike = (differences: readonly Difference[]): Difference[] => {
  const keyOf = ({ service, mock }: Difference): string => JSON.stringify([service, mock]);
  const keys = differences.map(keyOf);
  return differences.flatMap((difference, n) => {
    if (keys.indexOf(keyOf(difference)) < n) return [];
    const more = keys.filter((key) => key === keyOf(difference)).length - 1;
    return [more === 0 ? difference : { ...difference, where: `${difference.where} (and ${more} more)` }];
  });
};

const maxFacts = 6;

const sayDifference = ({ where, service, mock }: Difference): string[] => {
  const say = (who: string, facts: string[]): string =>
    `    ${who} ${facts.slice(0, maxFacts).join('; ') || 'nothing of the kind'}${facts.length > maxFacts ? `; ${facts.length - maxFacts} more` : ''}`;
  return [`  ${where}`, say('service:', service), say('mock:   ', mock)];
};

/** Quotes a flag whose value a shell would change. */
const quoted = (flag: string): string =>
  /^--set [\w=.,-]+$/.test(flag) ? flag : flag.replace(/^--set (.*)$/, "--set '$1'");

const wrap = (text: string, width: number): string[] => {
  const indent = `${/^ */.exec(text)?.[0] ?? ''}    `;
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const cut = rest.lastIndexOf(' ', width);
    if (cut <= indent.length) break;
    lines.push(rest.slice(0, cut));
    rest = indent + rest.slice(cut + 1);
  }
  return [...lines, rest];
};
