import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../testing/csv.fixture.ts';
import { csvLine, escapeFormulas } from './csv.ts';

test.each(['=1+1', '+49 30 1', '-cmd|x', '@SUM(A1)', '\t=1', '\r1', ' =1', '＝1', '-5.0.0'])(
  'a spreadsheet does not execute %j',
  (text) => {
    expect(parseCsv(csvLine(['a']) + csvLine([text]))).toEqual([{ a: `'${text}` }]);
  },
);

test.each(['-5.00', '1234567.89', '0.10', '2026-03-01 09:00:00', 'ABCDE-FGHIJ', "'x"])(
  'leaves %j unchanged',
  (text) => {
    expect(csvLine([text])).toBe(`${text}\r\n`);
  },
);

test.each(['Office; Home', 'x\t=1+1'])('quotes %j, so that LibreOffice does not split it', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\r\n`);
});

test.each(['x;=1+1;y', 'x; =1', 'x;"=1+1;"', 'x\n=1+1', 'x\r\n@SUM(A1)', '\r\n=1', ';+1', 'x;＝1'])(
  'a spreadsheet that splits only at semicolons does not execute a part of %j',
  (text) => {
    const parts = csvLine(['a', text, 'b']).split(/[;\r\n]/);
    const cells = parts.map((part) => part.replace(/^[\s"]+/, ''));
    expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([]);
  },
);

test('any text can be read back unchanged, except for added apostrophes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }), (values) => {
      const names = values.map((_, index) => `c${index}`);
      const [row = {}] = parseCsv(csvLine(names) + csvLine(values));
      expect(names.map((name) => row[name])).toEqual(values.map(escapeFormulas));
      const strip = (text: string) => text.replaceAll("'", '');
      for (const text of values) expect(strip(escapeFormulas(text))).toBe(strip(text));
    }),
  );
});
