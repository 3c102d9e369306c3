import { settingDefinitions } from '../settings/settings.ts';
import { defaultOf, type Point } from './findings.ts';
import type { ProbeReport } from './probe.ts';

const docs = 'https://github.com/order-license/order-license-kit/blob/main/docs';

/** Renders a report as text. */
export const renderReport = (report: ProbeReport): string => {
  const { baseUrl, requests, stopped, failed, points } = report;
  const broken = report.statements.filter(({ holds }) => !holds);
  const isUsual = ({ setting, value }: Point) => value === defaultOf(setting);
  const flags = Object.entries(report.set).map(([name, value]) => ` --set ${quoted(`${name}=${value}`)}`);
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  return [
    `Probe of ${baseUrl}, with ${requests} requests\n`,
    stopped ? `Stopped early. ${stopped}\n` : '',
    section('REQUESTS WITHOUT A USABLE RESPONSE', failed),
    section(
      `STATEMENTS IN THE API DOCS THAT DO NOT HOLD (${docs}/statements.md); ask the shop which is wrong`,
      broken.map(({ id, text, service }) => `${id}  ${text}: ${service.join(', ')}`),
    ),
    section(
      `WHERE THE API DIFFERS FROM THE MOCK'S DEFAULTS (${docs}/assumptions.md)`,
      points.filter((point) => !isUsual(point)).map(differenceOf),
    ),
    section(
      "WHERE THE API DOES THE SAME AS THE MOCK'S DEFAULTS, AND THE KIT COPES",
      points.filter(isUsual).map(({ id, setting, value }) => `${id}  ${setting}=${value || 'none'}`),
    ),
    section('NOT SHOWN BY THESE RESPONSES', points.length > 0 ? [report.notShown.join(', ')] : []),
    points.length > 0
      ? section('TO TRY THE MOCK WITH THESE SETTINGS, RUN', [`order-license-mock${flags.join('')}`])
      : '\nNo settings are suggested, because no list of orders could be read.\n',
  ].join('');
};

/** What the API does, whether the kit copes, and what the setting is about. */
const differenceOf = ({ id, setting, value, found, kit }: Point): string => {
  const choice = value === undefined ? `: ${found.join(' or ')}; no single value does the same` : `=${value}`;
  return `${id}  ${setting}${choice}. ${kit} (${settingDefinitions[setting].about})`;
};

/** Quotes a flag's value if a shell would change it. */
const quoted = (value: string): string => (/^[\w=.,-]+$/.test(value) ? value : `'${value}'`);
