export interface Bar {
  label: string;
  value: number;
  /** Text after the bar. */
  text: string;
  isOurs?: boolean;
}

const width = 800;
const labelWidth = 270;
const textWidth = 240;
const rowHeight = 26;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Horizontal bars as an SVG that is legible on light and dark pages. */
export const barChart = (title: string, subtitle: string, bars: Bar[]): string => {
  const most = Math.max(...bars.map(({ value }) => value));
  const height = 62 + bars.length * rowHeight;
  const rows = bars.map(({ label, value, text, isOurs }, index) => {
    const top = 56 + index * rowHeight;
    const length = Math.max(2, Math.round((value / most) * (width - labelWidth - textWidth)));
    return [
      `  <text x="${labelWidth - 10}" y="${top + 14}" text-anchor="end"${isOurs ? ' class="ours"' : ''}>${escapeXml(label)}</text>`,
      `  <rect x="${labelWidth}" y="${top + 1}" width="${length}" height="18" rx="2"${isOurs ? ' class="ours"' : ''}/>`,
      `  <text x="${labelWidth + length + 8}" y="${top + 14}">${escapeXml(text)}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(`${title}. ${bars.map(({ label, text }) => `${label}: ${text}`).join('; ')}.`)}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    text.title { font-size: 16px; font-weight: 600 }
    text.subtitle { fill: #59636e }
    text.ours { font-weight: 600 }
    rect { fill: #8c959f }
    rect.ours { fill: #d97706 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } text.subtitle { fill: #9198a1 } rect { fill: #59636e } }
  </style>
  <text x="10" y="20" class="title">${escapeXml(title)}</text>
  <text x="10" y="40" class="subtitle">${escapeXml(subtitle)}</text>
${rows.join('\n')}
</svg>
`;
};
