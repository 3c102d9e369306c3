import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../server/listen.ts';
import { ask, silenced, started } from '../test-client.fixture.ts';

/** Returns the path of a file in a temporary folder, and writes it if there is content. */
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'mock-files-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return (name: string, content?: string | Uint8Array): string => {
    if (content !== undefined) writeFileSync(join(path, name), content);
    return join(path, name);
  };
};
const answer = (id: number): string =>
  JSON.stringify({ status: 200, data: { id, bestellnummer: `SH-${id}`, items: [] } });

test.each<[form: string, content: string | Uint8Array]>([
  ['JSON', `[\n${answer(1)},\n${answer(2)}\n]`],
  ['JSON Lines', `${answer(1)}\n\n${answer(2)}\r\n`],
  ['JSON Lines with a byte order mark', `\ufeff${answer(1)}\n${answer(2)}`],
  ['JSON Lines in UTF-16', Buffer.from(`\ufeff${answer(1)}\n${answer(2)}`, 'utf16le')],
])('an orders file can be %s', async (_, content) => {
  const mock = await started({ ordersFile: folder()('orders', content) });
  expect((await ask(mock, '/orders')).body.data.pagination.total).toBe(2);
  expect((await ask(mock, '/orders/2')).body.data.bestellnummer).toBe('SH-2');
});

test('numbers keep the digits that they have in the file [U-22]', async () => {
  silenced('warn');
  const fields = '"gesamtpreis_brutto":1.50,"steuer":12345678901234567890.10';
  const ordersFile = folder()('orders.json', `{"data":{"id":5,"status":"bezahlt","items":[],${fields}}}`);
  const { text } = await ask(await started({ ordersFile }), '/orders/5');
  expect(text).toContain('"gesamtpreis_brutto":1.50');
  expect(text).toContain('"steuer":12345678901234567890.10');
});

test.each<[content: string | Uint8Array, sentence: string]>([
  ['', ': the file is empty'],
  [
    '{"data":{"id":9007199254740993}}',
    ': data: id must be a whole number from 1 to 2^53 - 1, as a number or a string, not "9007199254740993"',
  ],
  [`${answer(1)}\n{"id":2,}`, ', line 2: it is not JSON: column 9 has }; remove the comma before it'],
  ["[\n  {'id': 2}\n]", ": it is not JSON: line 2, column 4 has '; use double quotes"],
  ['[\n  // mine\n  {"id": 2}\n]', ': it is not JSON: line 2, column 3 has /; remove the comment'],
  ['[{"id": 2}', ': it is not JSON: it ends at column 11, before it is complete'],
  [`${answer(1)}\n\n{"id":2,"created_at":"Euro"}`, ', line 3: created_at must be a date'],
  [`[${answer(1)},{"data":{"items":[{"mange":1}]}}]`, ': [1].data: "items[0].mange" is one letter away from "menge"'],
  [Buffer.from('{"bestellnummer":"M\xfc"}', 'latin1'), ': it is not UTF-8'],
])('rejects the invalid file %j, and names its path and the place: %s', async (content, sentence) => {
  const path = folder()('orders.json', content);
  await expect(listen({ ordersFile: path })).rejects.toThrow(path + sentence);
});

test('says why a file cannot be read', async () => {
  await expect(listen({ ordersFile: folder()('none.json') })).rejects.toThrow('none.json: the file does not exist');
  await expect(listen({ ordersFile: folder()('.') })).rejects.toThrow('it is a folder');
});
