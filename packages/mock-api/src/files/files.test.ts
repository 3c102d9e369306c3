import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../server/listen.ts';
import type { ListenOptions } from '../server/listen-options.ts';
import { ask } from '../test-client.ts';
import { readConfigFile } from './config-file.ts';

/** Returns the path of a file in a temporary folder, and writes it if there is content. */
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'mock-files-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return (name: string, content?: string | Uint8Array): string => {
    if (content !== undefined) writeFileSync(join(path, name), content);
    return join(path, name);
  };
};
const start = async (options: ListenOptions) => {
  const mock = await listen({ limit: 'off', ...options });
  onTestFinished(() => mock.close());
  return mock;
};
const answer = (id: number): string =>
  JSON.stringify({ status: 200, data: { id, bestellnummer: `SH-${id}`, items: [] } });

test('an orders file can be JSON or JSON Lines, with a byte order mark, or UTF-16', async () => {
  const file = folder();
  const contents = [
    `[${answer(1)}, ${answer(2)}]`,
    `${answer(1)}\n\n${answer(2)}\r\n`,
    `\ufeff${answer(1)}\n${answer(2)}`,
    Buffer.from(`\ufeff${answer(1)}\n${answer(2)}`, 'utf16le'),
    `[\n${answer(1)},\n${answer(2)}\n]`,
  ];
  for (const [n, content] of contents.entries()) {
    const mock = await start({ ordersFile: file(`${n}.json`, content) });
    expect((await ask(mock, '/orders')).body.data.pagination.total, String(n)).toBe(2);
    expect((await ask(mock, '/orders/2')).body.data.bestellnummer).toBe('SH-2');
  }
});

test('numbers keep the digits of the file, even after a restart [U-22]', async () => {
  const file = folder();
  const fields = '"gesamtpreis_brutto":1.50,"steuer":12345678901234567890.10';
  const ordersFile = file('orders.json', `{"data":{"id":5,"status":"bezahlt","items":[],${fields}}}`);
  const stateFile = file('state.json');
  for (const options of [{ ordersFile, stateFile }, { stateFile }]) {
    const mock = await listen({ ...options, seed: 1 });
    const response = await fetch(`${mock.baseUrl}/orders/5`, {
      headers: { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json' },
    });
    const body = await response.text();
    await mock.close();
    expect(body).toContain('"gesamtpreis_brutto":1.50');
    expect(body).toContain('"steuer":12345678901234567890.10');
  }
});

test('an invalid file is rejected with its path and position', async () => {
  const file = folder();
  const refused: [content: string | Uint8Array, sentence: string][] = [
    ['', ': the file is empty'],
    [
      '{"data":{"id":9007199254740993}}',
      ': data: id must be a whole number from 1 to 4398046511104, not "9007199254740993"',
    ],
    [`${answer(1)}\n{"id":2,}`, ', line 2, column 9: a name in double quotes is expected'],
    [`${answer(1)}\n\n{"id":2,"waehrung":"Euro"}`, ', line 3: waehrung must be three capital letters, not "Euro"'],
    [`[${answer(1)},{"data":{"id":2,"items":[{"menge":-1}]}}]`, ': [1].data: items[0].menge must be a whole number'],
    [Buffer.from('{"bestellnummer":"M\xfc"}', 'latin1'), ': it is not UTF-8'],
  ];
  for (const [content, sentence] of refused) {
    const path = file('orders.json', content);
    await expect(listen({ ordersFile: path })).rejects.toThrow(`${path}${sentence}`);
  }
  await expect(listen({ ordersFile: file('none.json') })).rejects.toThrow('none.json: the file does not exist');
  await expect(listen({ ordersFile: file('.') })).rejects.toThrow('it is a folder');
});

test('orders and ordersFile together are rejected', async () => {
  const both = listen({ orders: 5, ordersFile: 'x.json' });
  await expect(both).rejects.toThrow("orders and ordersFile can't be combined; pass one");
});

test('the state survives a restart, and only the owner can read its file', async () => {
  const stateFile = folder()('state.json');
  const first = await listen({ stateFile, orders: 3, keys: { business: 'own-key' } });
  const { key } = first.state.createKey('otherAccount', 'erp');
  const { id } = first.state.insertOrder('business', { bestellnummer: 'SH-1' });
  await first.close();
  expect(readFileSync(stateFile, 'utf8')).not.toContain('own-key');
  if (process.platform !== 'win32') expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  const second = await start({ stateFile, keys: { business: 'own-key' } });
  expect((await ask(second, `/orders/${id}`)).body.data.bestellnummer).toBe('SH-1');
  expect((await ask(second, '/orders')).body.data.pagination.total).toBe(4);
  expect((await ask(second, '/me', { key })).status).toBe(200);
  second.state.insertOrder('business');
  second.reset();
  expect((await ask(second, '/orders')).body.data.pagination.total).toBe(4);
});

const change = (controlUrl: string | undefined, method: string, path: string, body: object = {}) =>
  fetch(controlUrl + path, { method, body: JSON.stringify(body) });

test('a change through the control API is saved before it is answered', async () => {
  const stateFile = folder()('state.json');
  const { controlUrl } = await start({ stateFile, orders: 3 });
  const saved = () => JSON.parse(readFileSync(stateFile, 'utf8'));
  await change(controlUrl, 'POST', '/orders', { id: 5, bestellnummer: 'SH-1' });
  expect(saved().accounts[0].inserted).toMatchObject([{ bestellnummer: 'SH-1' }]);
  await change(controlUrl, 'PATCH', '/orders/5', { status: 'storniert' });
  expect(saved().accounts[0].inserted).toMatchObject([{ bestellnummer: 'SH-1', status: 'storniert' }]);
  await change(controlUrl, 'POST', '/keys', { name: 'erp', account: 'otherAccount' });
  expect(saved().keys.at(-1)).toMatchObject({ name: 'erp', state: 'active' });
  await change(controlUrl, 'DELETE', '/keys/erp');
  expect(saved().keys.at(-1)).toMatchObject({ name: 'erp', state: 'revoked' });
  await change(controlUrl, 'PATCH', '/accounts/business', { company: 'Neu GmbH' });
  const changed = saved();
  expect(changed.accounts[0].company).toBe('Neu GmbH');
  await change(controlUrl, 'POST', '/reset');
  expect(saved().accounts[0].inserted).toEqual([]);
  await change(controlUrl, 'PUT', '/state', changed);
  expect(saved()).toEqual(changed);
});

test('the state is saved only if accounts, keys or orders change', async () => {
  const stateFile = folder()('state.json');
  const { controlUrl } = await start({ stateFile, orders: 3 });
  rmSync(stateFile);
  await change(controlUrl, 'POST', '/orders', { id: 'x' });
  await change(controlUrl, 'PATCH', '/settings', { set: { money: 'number' } });
  await change(controlUrl, 'POST', '/faults', { kind: '500' });
  await fetch(`${controlUrl}/state`);
  expect(existsSync(stateFile)).toBe(false);
});

test('a change that cannot be saved returns 500', async () => {
  const path = folder()('gone');
  mkdirSync(path);
  const mock = await listen({ stateFile: join(path, 'state.json'), orders: 3 });
  rmSync(path, { recursive: true });
  const response = await change(mock.controlUrl, 'POST', '/orders');
  const { error } = (await response.json()) as { error: string };
  expect([response.status, error]).toEqual([500, expect.stringContaining('state.json: the state cannot be saved')]);
  await expect(mock.close()).rejects.toThrow('the state cannot be saved');
});

test('startup fails if the state is invalid, has other keys or cannot be saved', async () => {
  const file = folder();
  const stateFile = file('state.json', '{"seed": 1}');
  await expect(listen({ stateFile })).rejects.toThrow(`${stateFile}: a state needs seed, accounts and keys`);
  file('state.json', 'null');
  await expect(listen({ stateFile })).rejects.toThrow(`${stateFile}: a state must be an object with`);
  rmSync(stateFile);
  await (await listen({ stateFile })).close();
  await expect(listen({ stateFile, seed: 7 })).rejects.toThrow(
    `${stateFile}: its key "business" differs; start with the seed and keys it was saved with`,
  );
  await expect(listen({ stateFile: file('no/state.json') })).rejects.toThrow('state.json: the state cannot be saved');
});

test('an options file is read, with paths relative to its folder', async () => {
  const file = folder();
  file('orders.json', answer(1));
  const path = file('mock.json', '{"ordersFile": "orders.json", "limit": "off", "allowHosts": ["mock"]}');
  const options = readConfigFile(path);
  expect(options).toEqual({ ordersFile: file('orders.json'), limit: 'off', allowHosts: ['mock'] });
  expect((await ask(await start(options), '/orders')).body.data.pagination.total).toBe(1);
});

test.each([
  ['{"limit": "off",}', ', line 1, column 17: a name in double quotes is expected'],
  ['{"limt": 1}', ': listen has no "limt"; use one of port, '],
  ['{"set": {"money": "gold"}}', ': money must be one of '],
  ['{"set": "money=number"}', ': set must be an object like {"money": "number"}'],
  ['{"orders": [{"id": "x"}]}', ': orders[0]: id must be a whole number'],
  ['{"port": "8080"}', ': port must be a whole number'],
  ['[]', ': it must be an object with options'],
])('an invalid options file is rejected with its path: %s', (content, sentence) => {
  const path = folder()('mock.json', content);
  expect(() => readConfigFile(path)).toThrow(`${path}${sentence}`);
});
