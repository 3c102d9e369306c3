import { openAssistant } from '../tests/questions/assistant.ts';
import { questions } from '../tests/questions/questions.ts';
import { openLargeShop, openSmallShop } from '../tests/questions/shops.ts';
import { table } from './table.ts';

const shops = { small: openSmallShop(), large: openLargeShop() };
const figures = new Intl.NumberFormat('en-US');
const rows: string[][] = [];
for (const { text, shop, answer, before, truth } of questions) {
  const mock = shops[shop];
  const assistant = await openAssistant(mock);
  const expected = JSON.stringify(await truth(mock));
  const check = (found: unknown, how: string): void => {
    if (JSON.stringify(found) !== expected)
      throw new Error(`${text} ${how}: ${JSON.stringify(found)} is not ${expected}`);
  };
  check(await before(assistant, mock), 'before');
  const old = assistant.spent();
  check(await answer(assistant), 'now');
  const now = assistant.spent();
  await assistant.close();
  const pair = (name: keyof typeof now): string => `${figures.format(old[name])} → ${figures.format(now[name])}`;
  rows.push([text, pair('calls'), pair('requests'), pair('tokens')]);
}
console.log(table(['question', 'calls', 'requests', 'tokens (o200k)'], rows));
