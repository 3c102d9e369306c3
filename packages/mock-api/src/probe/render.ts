import { type SettingName, settingDefinitions } from '../settings/settings.ts';
import { plural } from './finding.ts';
import type { PointResult, ProbeReport } from './report.ts';
import type { StatementResult } from './statements/statements.ts';

/** Renders a report as text. @param width columns of the terminal */
export const renderReport = (report: ProbeReport, width = 110): string => {
  const { baseUrl, questions, maxQuestions, durationMs, stopped, failed, statements, points } = report;
  const broken = statements.filter((statement) => statement.broken > 0);
  const held = statements.filter((statement) => statement.broken === 0);
  const seconds = Math.round(durationMs / 1000);
  const head = [
    `Probe of ${baseUrl}: ${questions} of at most ${maxQuestions} questions in ${seconds} s`,
    ...(stopped === undefined ? [] : [`Stopped early. ${stopped}`]),
    ...(report.readable ? [] : ['No answer could be read as the API docs describe it.']),
    ...(report.readable ? sayBroken(broken, statements.length, width) : []),
    ...(failed.length === 0
      ? []
      : ['', 'NO USABLE ANSWER', ...failed.flatMap((what) => wrap(`  ${what}`, width, '    '))]),
  ];
  const body = [
    '',
    `S numbers: ${docs}/statements.md`,
    `U numbers: ${docs}/assumptions.md`,
    '',
    `WHAT THE API DOCS STATE: ${held.length} of ${plural(statements.length, 'statement')} hold.`,
    ...broken.flatMap((statement) => brokenLines(statement, width)),
    ...(held.length === 0 ? [] : wrap(`  Hold: ${held.map(({ id }) => id).join(' ')}`, width, '        ')),
    '',
    'WHAT THE API DOCS LEAVE OPEN: what was observed. [A flag] marks a difference from the mock.',
    ...table(
      points.filter(({ state }) => state === 'seen'),
      width,
    ),
    ...section('Not visible in these answers', points, 'notSeen', width),
    ...section('Not asked', points, 'notAsked', width),
    ...section('Not visible from outside', points, 'never', width),
    ...settingLines(report, width),
  ];
  return `${[...head, ...(report.readable ? body : []), '', ...sayFlags(report)].join('\n')}\n`;
};

const docs = 'https://github.com/order-license/order-license-kit/blob/main/docs';

/** The summary. */
const sayBroken = (broken: readonly StatementResult[], count: number, width: number): string[] => {
  if (broken.length === 0) return [`All ${plural(count, 'checked statement')} of the API docs hold.`];
  const ids = broken.map(({ id }) => id).join(' ');
  return [
    `${broken.length} of ${plural(count, 'statement')} of the API docs ${broken.length === 1 ? 'does' : 'do'} not hold:`,
    ...wrap(`  ${ids}`, width, '  '),
    '  Ask the API provider whether the docs or the service are wrong.',
  ];
};

const brokenLines = ({ id, text, held, broken, instead }: StatementResult, width: number): string[] => [
  ...wrap(`  ${id}  ${text}: broken in ${broken} of ${held + broken}`, width, '        '),
  ...instead.slice(0, 6).flatMap((what) => wrap(`        ${what}`, width, '          ')),
];

const table = (points: readonly PointResult[], width: number): string[] =>
  points.flatMap(({ id, title, text, settings }) => {
    const other = Object.entries(settings).filter(([name, value]) => value !== defaultOf(name));
    const flags = other.map(([name, value]) => ` [--set\u00a0${name}=${value}]`).join('');
    return wrap(`  ${id}  ${title.padEnd(31)} ${text}${flags}`, width, ' '.repeat(40));
  });

const defaultOf = (name: string): string => String(settingDefinitions[name as SettingName].default);

const section = (
  heading: string,
  points: readonly PointResult[],
  state: PointResult['state'],
  width: number,
): string[] => {
  const found = points.filter((point) => point.state === state);
  return found.length === 0 ? [] : ['', `${heading}:`, ...table(found, width)];
};

/** The unrecognisable settings that the lines above don't name. */
const settingLines = ({ points, unobservable }: ProbeReport, width: number): string[] => {
  const named = new Set(points.filter(({ state }) => state !== 'seen').map(({ id }) => id));
  const left = unobservable.filter(({ setting, value }) => {
    if (value === undefined && points.some(({ settings }) => settings[setting] !== undefined)) return false;
    return !settingDefinitions[setting].points.split(' ').some((id) => named.has(id));
  });
  const lines = left.flatMap(({ setting, value, why }) =>
    wrap(`        ${(value ? `${setting}=${value}` : setting).padEnd(31)} ${why}`, width, ' '.repeat(40)),
  );
  return lines.length === 0 ? [] : ['', 'Settings of the mock that a probe cannot recognise:', ...lines];
};

const sayFlags = ({ flags, listed }: ProbeReport): string[] => {
  if (flags.length > 0)
    return ['THE MOCK DOES THE SAME WITH', `  order-license-mock ${flags.map(quoted).join(' \\\n    ')}`];
  return listed ? ['THE MOCK DOES THE SAME WITHOUT ANY FLAG: order-license-mock'] : ['No flags: no list was read.'];
};

/** Quotes a flag whose value has a space or brackets. Words of the service in it are plain words (`isPlainWord`). */
const quoted = (flag: string): string =>
  /^[\w=.,[\] -]+$/.test(flag) && !/[[\]]| .* /.test(flag) ? flag : flag.replace(/^--set (.*)$/, "--set '$1'");

const wrap = (text: string, width: number, indent: string): string[] => {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const cut = rest.lastIndexOf(' ', width);
    if (cut <= indent.length) break;
    lines.push(rest.slice(0, cut));
    rest = indent + rest.slice(cut + 1);
  }
  return [...lines, rest].map((line) => line.replaceAll('\u00a0', ' '));
};
