import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import type { Browser, Page } from './mcp/app-host/browser.ts';
import type { AppHost, ShowOptions, ToolResult } from './mcp/app-host/page.ts';
import type { ServedPage } from './mcp/app-host/serve.ts';
import { type HttpProcess, startBuiltServer } from './mcp/built-server.ts';
import { installClients } from './mcp/install.ts';
import { readApi } from './read-api.ts';

installClients();
const { launchBrowser } = await import('./mcp/app-host/browser.ts');
const { servePage } = await import('./mcp/app-host/serve.ts');

declare const host: AppHost; // a global variable of the page

const canary = 'CANARY';
/** `SCREENSHOTS=$PWD/docs/images node e2e/run.ts mcp-app` takes the docs' screenshots of the card. */
const folder = process.env.SCREENSHOTS;

const startApp = (baseUrl: string, apiKey: string, more: Record<string, string> = {}): Promise<HttpProcess> =>
  startBuiltServer({
    ORDER_LICENSE_BASE_URL: baseUrl,
    ORDER_LICENSE_API_KEY: apiKey,
    ORDER_LICENSE_LICENSE_KEYS: 'app',
    ...more,
  });

let mock: MockServer;
let server: HttpProcess;
let served: ServedPage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  mock = await listen({ limit: 'off', licenseKeyPrefix: canary });
  server = await startApp(mock.baseUrl, mock.keys.business, { ORDER_LICENSE_ACCESS_LOG: 'stderr' });
  served = await servePage();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.stop();
  await server?.stop();
  await mock?.close();
});

const openPage = async (options: object = {}): Promise<Page> => {
  await page?.context().close();
  page = await browser.newPage({ viewport: { width: 720, height: 760 }, colorScheme: 'light', ...options });
  await page.goto(served.url);
  expect(await page.evaluate((url) => host.connect(url, {}), server.url)).toBe('2026-07-28');
  return page;
};
beforeEach(() => openPage());

const insertOrder = (items: object[] = [{ product_name: 'Office 2026 Professional', menge: 2 }]): number =>
  mock.state.insertOrder('business', { status: 'bezahlt', items }).id;

const readOrder = (args: { id: number } | { ids: number[] }): Promise<ToolResult> =>
  page.evaluate((args) => host.callTool(args), args);
const show = (result: ToolResult, options: ShowOptions = {}): Promise<void> =>
  page.evaluate(
    (json) => host.show(...(JSON.parse(json) as [ToolResult, ShowOptions])),
    JSON.stringify([result, options]),
  );

const card = () => page.frameLocator('iframe');
const button = (name: string | RegExp) => card().getByRole('button', { name });
/** Clicks a button when the frame has the height of the card: until then, the button can move while it is clicked. */
const press = async (name: string | RegExp) => {
  await button(name).waitFor();
  const isWhole = () =>
    card()
      .locator('html')
      .evaluate((html) => html.scrollHeight <= innerHeight);
  await expect.poll(isWhole).toBe(true);
  await button(name).click();
};
const reveal = async () => {
  await press('Reveal license codes');
  await card()
    .getByRole('heading', { name: /license code/i })
    .waitFor();
};
const keys = () => card().locator('li code').allTextContents();
const status = () => card().getByRole('status').textContent();

/** Reads the order's license keys as the API sends them. */
const keysOf = async (id: number): Promise<string[]> => {
  const { items } = await readApi(mock, mock.keys.business).order(id);
  return items.flatMap(({ license_codes }) => license_codes.map(({ license_key }) => license_key));
};

test('the card shows the order, and its license keys only after Reveal; the model never reads a key', async () => {
  const id = insertOrder([
    { product_name: 'Office 2026 Professional', menge: 2 },
    { product_name: 'Windows 12 <b onclick=alert(1)>Pro</b>', menge: 1 },
  ]);
  const result = await readOrder({ id });
  await show(result);
  await card()
    .getByRole('heading', { name: /^Order B-/ })
    .waitFor();
  expect(await card().locator('tbody tr').allTextContents()).toEqual([
    'Office 2026 Professional22',
    'Windows 12 <b onclick=alert(1)>Pro</b>11',
  ]);
  expect(await card().locator('body').textContent()).not.toMatch(new RegExp(`${canary}-`));
  await reveal();
  expect(await keys()).toEqual(await keysOf(id));
  expect(await card().locator('b').count()).toBe(0);
  const model = [result.content, result.structuredContent, await page.evaluate(() => host.describe())];
  expect(JSON.stringify(model)).not.toContain(canary);
  const { posted } = await page.evaluate(() => host.seen());
  expect(posted.length).toBeGreaterThan(2);
  expect(JSON.stringify(posted)).not.toContain(canary);
  await press('Hide');
  expect(await card().locator('body').textContent()).not.toMatch(new RegExp(`${canary}-`));
  expect(server.printed()).toContain(`"event":"reveal","caller":`);
  expect(server.printed()).not.toMatch(new RegExp(`${canary}|order-license://keys/\\d`));
});

test('copies keys if the host allows it, and otherwise selects them', async () => {
  const id = insertOrder();
  const [first = '', second] = await keysOf(id);
  const result = await readOrder({ id });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await show(result, { allowsClipboard: true });
  await reveal();
  await press('Copy key 1');
  await expect.poll(status).toBe('Copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  await press('Copy all 2 keys');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${first}\n${second}`);

  await openPage();
  await show(await readOrder({ id }));
  await reveal();
  await press('Copy key 2');
  await expect.poll(status).toMatch(/does not allow copying from the card/);
  const selected = () =>
    card()
      .locator('body')
      .evaluate(() => getSelection()?.toString());
  expect(await selected()).toBe(second);
  await press('Copy all 2 keys');
  await expect.poll(selected).toBe(`${first}\n${second}`);
});

test('shows 5,000 codes in one list that scrolls, with the keyboard alone', async () => {
  const id = insertOrder([{ product_name: 'Office 2026', menge: 5_000, license_codes: 5_000 }]);
  await show(await readOrder({ id }));
  await button('Reveal license codes').focus();
  await page.keyboard.press('Enter');
  await card().getByRole('heading', { name: '5,000 license codes' }).waitFor();
  expect(await card().locator(':focus').textContent()).toBe('5,000 license codes');
  expect(await keys()).toEqual(await keysOf(id));
  const heightOf = () =>
    card()
      .locator('body')
      .evaluate((body) => body.getBoundingClientRect().height);
  expect(await heightOf()).toBeLessThan(900);
  const last = card().locator('li').last();
  await last.getByRole('button').focus();
  expect(await last.evaluate((node) => node.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  await button('Copy all 5,000 keys').waitFor();
});

test('asks the user to try again if a ticket has expired', async () => {
  const id = insertOrder();
  const tickets = [{ id, uri: 'order-license://keys/a-ticket', expires_at: '2026-01-01T00:00:00Z' }];
  await show({ ...(await readOrder({ id })), _meta: { 'io.github.order-license/tickets': tickets } });
  await press('Reveal license codes');
  const alert = card().getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toMatch(/more than five minutes ago. Ask for it again/);
  expect(await keys()).toEqual([]);
});

test('shows a card for each order, and the reason if an order cannot be read', async () => {
  const ids = [insertOrder(), insertOrder(), mock.state.insertOrder('business', { status: 'ausstehend' }).id, 987_654];
  await show(await readOrder({ ids }));
  await expect.poll(() => card().locator('section').count()).toBe(4);
  expect(await button('Reveal license codes').count()).toBe(2);
  expect(await card().locator('section').nth(2).textContent()).toContain('No license codes to show.');
  expect(await card().locator('section').nth(3).textContent()).toMatch(/^Order 987654.*no order/i);
});

test("shows German text, and the addresses of downloads as text, if the host's locale is German", async () => {
  const id = insertOrder([{ product_name: 'Office 2026 Professional', menge: 2 }]);
  await show(await readOrder({ id }), { context: { locale: 'de-AT' } });
  await card()
    .getByRole('heading', { name: /^Bestellung B-/ })
    .waitFor();
  expect(await card().locator('th').allTextContents()).toEqual(['Produkt', 'Menge', 'Codes']);
  await press('Lizenzcodes anzeigen');
  await card().getByRole('heading', { name: '2 Lizenzcodes' }).waitFor();
  expect(await keys()).toEqual(await keysOf(id));
  const addresses = await card().locator('li p').allTextContents();
  expect(addresses.filter((text) => /^64 Bit: https:\/\/[^/]+\/.*x64/.test(text))).toHaveLength(2);
  await press('Verbergen');
  await expect.poll(status).toBe('Die Lizenzcodes sind verborgen.');
});

test.each(['light', 'dark'] as const)('adopts the host’s %s theme within the security policy', async (theme) => {
  await openPage({ colorScheme: theme });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  const shop = await listen({ limit: 'off' });
  onTestFinished(() => shop.close());
  const ours = await startApp(shop.baseUrl, shop.keys.business);
  onTestFinished(() => ours.stop());
  await page.evaluate((url) => host.connect(url, {}), ours.url);
  const { id } = shop.state.insertOrder('business', {
    status: 'bezahlt',
    bestellnummer: 'B-2026-000042',
    items: [
      { product_name: 'Office 2026 Professional', menge: 2, einzelpreis_brutto: '189.00' },
      { product_name: 'Windows 12 Pro', menge: 1, einzelpreis_brutto: '149.00' },
    ],
  });
  const variables = { '--color-text-primary': theme === 'light' ? '#123456' : '#fedcba' };
  await show(await readOrder({ id }), { context: { theme, styles: { variables } } as never });
  const body = card().locator('body');
  const styleOf = (name: string) => body.evaluate((node, name) => getComputedStyle(node).getPropertyValue(name), name);
  await expect.poll(() => styleOf('color')).toBe(theme === 'light' ? 'rgb(18, 52, 86)' : 'rgb(254, 220, 186)');
  expect(await styleOf('background-color')).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 28, 30)');
  expect(problems).toEqual([]);
  await show(await readOrder({ id }), { context: { theme } });
  await reveal();
  const name = theme === 'light' ? 'order-card' : 'order-card.dark';
  if (folder) await page.locator('iframe').screenshot({ path: `${folder}/${name}.png` });
});
