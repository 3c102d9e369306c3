import { type Bar, barChart } from './bar-chart.ts';

/** The rows of the tables under a heading of docs/benchmarks.md, without header rows. */
const rowsUnder = (page: string, heading: string): string[][] => {
  const part = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = part.split('\n');
  const isRule = (line: string | undefined): boolean => line?.startsWith('| ---') ?? false;
  const rows = lines.filter((line, at) => line.startsWith('|') && !isRule(line) && !isRule(lines[at + 1]));
  if (rows.length === 0) throw new Error(`docs/benchmarks.md has no table under "${heading}".`);
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
};

const pacing = (page: string): string => {
  const cellsOf = new Map<string, string[]>();
  for (const [label = '', ...cells] of rowsUnder(page, 'Pacing: one process')) {
    cellsOf.set(label, [...(cellsOf.get(label) ?? []), ...cells]);
  }
  const bars = Array.from(cellsOf, ([label, cells]): Bar => {
    const [ratios, refusals] = [0, 1].map((at) =>
      cells.filter((cell) => cell.includes('/')).map((cell) => Number(cell.split('/')[at])),
    ) as [number[], number[]];
    const value = refusals.reduce((sum, number) => sum + number, 0);
    const endless = cells.length - ratios.length;
    const worst =
      endless > 0 ? `${endless} of ${cells.length} never end` : `up to ${Math.max(...ratios).toFixed(2)} × the minimum`;
    return { label, value, text: `${value}, ${worst}`, isOurs: label.startsWith('@order-license') };
  });
  return barChart(
    'Requests rejected with 429',
    '600 requests in each of seven readings of "60 per minute" and three networks; time / theoretical minimum',
    bars,
  );
};

const coldStart = (page: string): string => {
  const bars = rowsUnder(page, 'MCP server: cold start').map(
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
