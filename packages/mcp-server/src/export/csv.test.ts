import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../testing/csv.fixture.ts';
import { csvLine, isEscaped } from './csv.ts';

test.each(['=1+1', '+49 30 1', '-cmd|x', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '-5.0.0'])(
  'a spreadsheet does not execute %j',
  (text) => {
    expect(parseCsv(csvLine(['a']) + csvLine([text]))).toEqual([{ a: `'${text}` }]);
  },
);

test.each(['-5.00', '1234567.89', '0.10', '2026-03-01 09:00:00', 'ABCDE-FGHIJ', "'x"])(
  'leaves %j unchanged',
  (text) => {
    expect(isEscaped(text)).toBe(false);
    expect(csvLine([text])).toBe(`${text}\r\n`);
  },
);

test.each(['Office; Home', 'x;=1+1', 'x\t=1+1'])('no spreadsheet splits %j into two cells', (text) => {
  expect(csvLine([text])).toBe(`"${text}"\r\n`);
});

test('any text can be read back unchanged, except for an added apostrophe', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 4 }), (values) => {
      const names = values.map((_, index) => `c${index}`);
      const [row = {}] = parseCsv(csvLine(names) + csvLine(values));
      const whole = values.map((text) => (isEscaped(text) ? `'${text}` : text));
      expect(names.map((name) => row[name])).toEqual(whole);
    }),
  );
});
