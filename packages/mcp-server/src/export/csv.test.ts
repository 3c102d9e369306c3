import { expect, test } from 'vitest';
import { cellText, csvLine, protectText } from './csv.ts';

const forms = ['comma', 'semicolon'] as const;

test.each([
  ['execute', ['=1+1', '+49 30 1', '-cmd|x', '@SUM(A1)', '\t=1', '\r1', ' =1 ', '＝1', '-5.0.0', '-5.00', '-5,00']],
  ['hide the first character of', ['\u200b1', '\ufeff=1', '\u00adA', '\u00a05', ' 7', '\u0000', '\u3164x', '\u202e1']],
  ['change the digits of', ['0012345', '00', '123456789012', '1234567890123456', '1E10', '12e5', '1,5E-3', '0012345 ']],
  ['read as a date', ['2026-06', '3-4', '3/4', '1.3.2026', '2026-03-01 09:00:00', '2026-03-01T09:00', '1 1/2']],
  ['read as a time', ['12:30', '9 am']],
  ['read as a number', ['1.5', '1.50', '1,50', '1.234.567', '12%', '€ 5', '5 $', '(5)', '5-', 'true', 'WAHR']],
  ['read as a month', ['MAR1', 'Sept2', '3-Mär', '1. Mai 2026', 'Dez-26', 'December 24, 2026', 'Jänner 5']],
])('an apostrophe protects what a spreadsheet would %s', (_, texts) => {
  expect(texts.map(protectText)).toEqual(texts.map((text) => `'${text}`));
});

test('does not change keys, names, links, or numbers that every spreadsheet keeps', () => {
  const texts = [
    ...['ABCDE-FGHIJ', "'x", '0', '12345', '12345678901', '12345-67890-12345-67890', '1A2B-3C4D', 'E10', '1F'],
    ...['MARBLE-1', 'Office 2024', '2024 Office', 'maria:secret', 'Windows 11', 'https://dl.example/0012345'],
    ...['truetype', 'May'],
  ];
  expect(texts.map(protectText)).toEqual(texts);
});

test.each([
  ['-5.00', '-5.00', '"-5,00"'],
  ['1234567.89', '1234567.89', '"1234567,89"'],
  ['-5,00', '"-5,00"', '"-5,00"'],
  [119.5, '119.5', '"119,5"'],
])('an amount such as %j is a number, with a decimal comma if semicolons separate the cells', (value, ...lines) => {
  expect(forms.map((form) => csvLine([cellText(value, 'amount', form)], form))).toEqual(
    lines.map((line) => `${line}\r\n`),
  );
});

test('an amount that is not a number is protected like text', () => {
  expect(cellText('=1+1', 'amount', 'semicolon')).toBe("'=1+1");
});

test('in a column of dates and numbers, protects only what is neither', () => {
  const kept = ['2026-03-01 09:00:00', '2026-03-01T09:00:00.000Z', 12345, '12345', -1];
  expect(kept.map((value) => cellText(value, 'value', 'semicolon'))).toEqual(kept.map(String));
  const others = ['900719925474099312', '123456789012', '0012', '=1'];
  expect(others.map((value) => cellText(value, 'value', 'comma'))).toEqual(others.map((value) => `'${value}`));
});

const quoted = ['Office; Home', 'x\t=1+1', 'a,b', 'a\rb', 'a\nb', ' a', 'a '];
test.each(quoted)('both forms quote %j, so that no spreadsheet splits or trims it', (text) => {
  expect(forms.map((form) => csvLine([text, 'b'], form))).toEqual([`"${text}",b\r\n`, `"${text}";b\r\n`]);
});

test.each(['x;=1+1;y', 'x; =1', 'x;"=1+1;"', 'x\n=1+1', 'x\r\n@SUM(A1)', '\r\n=1', ';+1', 'x;＝1', 'x;\u200b=1'])(
  'a spreadsheet that splits only at semicolons does not execute a part of %j',
  (text) => {
    const parts = csvLine(['a', protectText(text), 'b'], 'comma').split(/[;\r\n]/);
    const cells = parts.map((part) => part.replace(/^[\s"\u200b]+/, ''));
    expect(cells.filter((cell) => /^[=+\-@＝]/.test(cell))).toEqual([]);
  },
);
