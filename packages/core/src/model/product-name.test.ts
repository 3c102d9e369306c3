import { expect, test } from 'vitest';
import { productNameTest } from './product-name.ts';

test.each([
  ['windows 11', 'Microsoft Windows 11 Pro'],
  ['windows 11', 'Windows\u00a011'],
  ['windows 11', 'Windows\u202f11'],
  ['windows 11', 'Windows  11'],
  ['windows\u00a011', 'Windows 11'],
  ['windows 11', 'Windows® 11'],
  ['windows 11', 'Windows ® 11'],
  ['windows® 11', 'Windows 11'],
  ['office', 'Micro Of\u00adfice\u200b'],
  ['office™', 'Office 2024'],
  ['Büro', 'Bu\u0308ro-Paket'],
  ['Bu\u0308ro', 'BÜRO-Paket'],
  ['strasse', 'Straße'],
  ['straße', 'STRASSE'],
  ['izmir', 'İzmir'],
  ['İzmir', 'izmir'],
  ['office-paket', 'Office–Paket'],
  ['Ｏｆｆｉｃｅ', 'Office'],
])('finds %j in %j', (text, name) => {
  expect(productNameTest(text)(name)).toBe(true);
});

test.each([
  ['windows 11', 'Windows 10'],
  ['buro', 'Büro'],
  ['®', 'Windows® 11'],
  ['office', undefined],
])('does not find %j in %j', (text, name) => {
  expect(productNameTest(text)(name)).toBe(false);
});
