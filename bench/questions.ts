import { openAssistant } from '../tests/questions/assistant.ts';
import { questions } from '../tests/questions/questions.ts';
import { openLargeShop, openSmallShop } from '../tests/questions/shops.ts';
import { table } from './table.ts';

const shops = { small: openSmallShop(), large: openLargeShop() };
const figures = new Intl.NumberFormat('en-US');
const rows: string[][] = [];
for (const { text, shop, answer } of questions) {
  const assistant = await openAssistant(shops[shop]);
  await answer(assistant);
  const { calls, requests, tokens } = assistant.spent();
  await assistant.close();
  rows.push([text, ...[calls, requests, tokens].map((count) => figures.format(count))]);
}
console.log(table(['question', 'calls', 'requests', 'tokens (o200k)'], rows));
