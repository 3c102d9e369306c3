import { type Bar, barChart } from './bar-chart.ts';

/** The rows of the table under a heading of docs/benchmarks.md, without the header row. */
const tableUnder = (page: string, heading: string): string[][] => {
  const part = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('|'));
  if (lines.length < 3) throw new Error(`docs/benchmarks.md has no table under "${heading}".`);
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
};

const pacing = (page: string): string => {
  const bars = tableUnder(page, 'Pacing: one process').map(([label = '', ...cells]): Bar => {
    const [ratios, refusals] = [0, 1].map((at) =>
      cells.filter((cell) => cell.includes('/')).map((cell) => Number(cell.split('/')[at])),
    ) as [number[], number[]];
    const value = refusals.reduce((sum, number) => sum + number, 0);
    const worst =
      cells.length > ratios.length
        ? 'never ends in one model'
        : `up to ${Math.max(...ratios).toFixed(2)} × theoretical minimum`;
    return { label, value, text: `${value}, ${worst}`, isOurs: label.startsWith('@order-license') };
  });
  return barChart(
    'Requests refused with 429',
    '600 requests in each of seven models of "60 per minute"; time compared with the theoretical minimum',
    bars,
  );
};

const coldStart = (page: string): string => {
  const bars = tableUnder(page, 'MCP server: cold start').map(
    ([label = '', ms, ratio]): Bar => ({
      label,
      value: Number(ratio),
      text: `${ratio} × (${ms} ms)`,
      isOurs: label.startsWith('order-license'),
    }),
  );
  return barChart(
    'MCP server: cold start',
    'From spawn to the answer to `initialize`, compared with `node -e 0`',
    bars,
  );
};

/** The README's charts by file name, drawn from the tables of docs/benchmarks.md. */
export const drawCharts = (page: string): Record<string, string> => ({
  'pacing.svg': pacing(page),
  'cold-start.svg': coldStart(page),
});
