import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import type { Browser, Page } from './mcp/app-host/browser.ts';
import { installClients } from './mcp/install.ts';

installClients();
const { launchBrowser } = await import('./mcp/app-host/browser.ts');

/** `SCREENSHOTS=$PWD/docs/images node e2e/run.ts mock-page` takes the docs' screenshot of the page. */
const folder = process.env.SCREENSHOTS;

let mock: MockServer;
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  mock = await listen();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await mock?.close();
});

const openPage = async (options: object = {}): Promise<void> => {
  await page?.context().close();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light', ...options });
  problems = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(`${mock.controlUrl}`);
  await page.getByText('Live', { exact: true }).waitFor();
};
beforeEach(async () => {
  mock.reset();
  await openPage();
});

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(mock.baseUrl + path, {
    headers: { authorization: `Bearer ${mock.keys.business}`, accept: 'application/json', ...headers },
  });
  return { status: response.status, text: await response.text() };
};

const rows = () => page.locator('#journal tbody tr').allTextContents();
const limitOf = (key: string) => page.locator('#limits tr', { hasText: new RegExp(`^${key}\\d`) }).textContent();
const section = (name: string) => page.getByRole('region', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const news = () => page.locator('[aria-live="polite"]').textContent();

test('the journal shows a new request and its response without a reload', async () => {
  await expect.poll(news).toBe('No requests yet.');
  await ask('/orders?per_page=5');
  await expect
    .poll(async () => (await rows())[0])
    .toMatch(/^1\d\d:\d\d:\d\d200GET .*per_page=5business5 of 120 orders$/);
  await ask('/orders/1');
  await expect.poll(async () => (await rows())[0]).toMatch(/404.*orderNotFound$/);
  expect(await rows()).toHaveLength(2);
  expect(problems).toEqual([]);
});

test('explains a violation with the sentence from the API docs, and announces it to screen readers', async () => {
  await ask('/me');
  await ask('/me', { accept: 'text/html' });
  await expect.poll(news).toBe('Request 2 violates S-60 (the header Accept: application/json is missing).');
  expect(await rows()).toContain(
    'S-60: the header Accept: application/json is missing. Every request carries Accept: application/json.',
  );
  await page.getByLabel('Only violations').check();
  await expect.poll(async () => (await rows()).length).toBe(2);
});

test('a filter shows a violation even after many later requests', async () => {
  mock.set({ limit: 'off' });
  await ask('/orders/x');
  for (let n = 0; n < 120; n++) await ask('/me');
  await expect.poll(async () => (await rows())[0]).toMatch(/^121/);
  expect(await rows()).toHaveLength(100);
  await expect.poll(news).toBe('Request 1 violates S-56 (the order ID is not an integer).');
  await page.getByLabel('Only violations').check();
  await expect.poll(async () => (await rows())[0]).toMatch(/^1\d\d:/);
});

test('shows client input as text, not as HTML', async () => {
  await ask(`/orders?status=<img src=x onerror=alert(1)>&x='"><b>`);
  mock.set({ errorText: '<img src=x>' });
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(1);
  await page.getByText('errorText = <img src=x>').waitFor();
  expect(await page.locator('main img, main b').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('shows the journal correctly after a reset and after it is cleared', async () => {
  await ask('/me');
  await ask('/orders');
  await expect.poll(async () => (await rows()).length).toBe(2);
  mock.reset();
  await ask('/orders/10954');
  await ask('/orders/10955');
  await ask('/orders/10956');
  await expect
    .poll(rows)
    .toEqual([expect.stringContaining('10956'), expect.stringContaining('10955'), expect.stringContaining('10954')]);
  mock.journal.clear();
  await expect.poll(news).toBe('No requests yet.');
});

test('shows how many requests remain for each key, and the full limit again after a minute', async () => {
  mock.clock.freeze();
  await expect.poll(() => limitOf('business')).toContain('60 of 60');
  for (let n = 0; n < 61; n++) await ask('/me');
  await expect.poll(() => limitOf('business')).toContain('0 of 60more in 60 s');
  expect(await limitOf('businessSecond')).toContain('60 of 60');
  await expect
    .poll(() => page.locator('#profile').textContent())
    .toMatch(/^strict; the clock shows .* UTC \(frozen\)$/);
  mock.clock.advance(60_000);
  await expect.poll(() => limitOf('business')).toMatch(/60 of 60$/);
  mock.set({ limit: 'off' });
  await page.getByText('There is no limit.').waitFor();
});

test('shows the profile, all settings that differ from the defaults, and the orders', async () => {
  await page.getByText('All settings have their default values.').waitFor();
  mock.setProfile('lenient', { dates: 'iso' });
  const profile = section('Profile');
  await profile.getByText('dates = iso').waitFor();
  expect(await profile.textContent()).toContain('lenient; the clock shows ');
  const { id } = mock.state.insertOrder('business', { status: 'bezahlt', created_at: '2040-01-01' });
  await section('Orders').getByText(String(id)).waitFor();
  expect(await section('Orders').textContent()).toContain('Number of orders in the account business: 121');
});

test('shows the pending faults until they are used up', async () => {
  await section('Pending faults').getByText('None.').waitFor();
  mock.faults.add({ kind: '500', times: 2, operation: 'me' });
  await page.getByText('status; status=500; times=2; operation=me; applied=0').waitFor();
  await ask('/me');
  await page.getByText('applied=1').waitFor();
  await ask('/me');
  await section('Pending faults').getByText('None.').waitFor();
  expect(problems).toEqual([]);
});

test('every curl command on the page works unchanged', async () => {
  const calls = await page.locator('dt').allTextContents();
  expect(calls.length).toBeGreaterThan(12);
  const id = String(mock.samples.pending.id);
  for (const call of calls) {
    const text = call.replace('{id}', id).replace('{name}', 'revoked').replace('{account}', 'business');
    const { stdout } = await promisify(execFile)('sh', ['-c', text.replace('curl', 'curl -sg')]);
    expect(JSON.parse(stdout), call).not.toHaveProperty('error');
    mock.reset();
  }
});

test('resets the mock, even with the keyboard alone', async () => {
  await ask('/me');
  mock.set({ money: 'number' });
  await page.getByText('money = number').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(news).toBe('No requests yet.');
  expect(mock.settings().money).toBe('string');
  await ask('/me');
  await expect.poll(async () => (await rows()).length).toBe(1);
  await button('Reset mock').click();
  await expect.poll(news).toBe('No requests yet.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await page.getByLabel('Only violations').isChecked()).toBe(true);
});

test('reports that the mock has stopped, and shows a new mock at the same address', async () => {
  const { port } = new URL(mock.baseUrl);
  await ask('/me');
  await mock.close();
  await page.getByText('The mock does not respond. This page keeps trying.').waitFor();
  mock = await listen({ port: Number(port) });
  await page.getByText('Live', { exact: true }).waitFor();
  await expect.poll(news).toBe('No requests yet.');
});

test('sends at most one request a second, and none while the page is hidden', async () => {
  let requests = 0;
  page.on('request', () => requests++);
  await page.waitForTimeout(3_100);
  expect(requests).toBeGreaterThan(1);
  expect(requests).toBeLessThanOrEqual(4);
  const show = (hidden: boolean) =>
    page.evaluate((hidden) => {
      const page = globalThis as unknown as { document: { dispatchEvent(event: Event): void } };
      Object.defineProperty(page.document, 'hidden', { value: hidden, configurable: true });
      page.document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await show(true);
  await page.waitForTimeout(300); // waits until a running poll has ended
  requests = 0;
  await page.waitForTimeout(1_500);
  expect(requests).toBe(0);
  const polled = page.waitForResponse(/\/__mock\//);
  await show(false);
  await polled;
});

test.each(['light', 'dark'] as const)("follows the system's %s theme, and fits on a phone", async (colorScheme) => {
  await openPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  await ask('/me');
  await ask('/orders');
  await ask('/orders?page=2&per_page=50');
  const { id } = mock.samples.partlyDelivered;
  await ask(`/orders/${id}`);
  await ask('/orders?page=0', { accept: 'text/html' });
  mock.faults.add({ kind: 'html', status: 503, operation: 'list' });
  await ask('/orders');
  mock.set({ money: 'number' });
  await expect.poll(async () => (await rows()).length).toBe(8);
  await page.getByText('money = number').waitFor();
  const background = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
  expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(28, 28, 30)');
  if (folder && colorScheme === 'light') {
    const box = await section('Orders').boundingBox();
    const height = (box?.y ?? 0) + (box?.height ?? 0) + 14;
    await page.screenshot({ path: `${folder}/mock-page.png`, clip: { x: 0, y: 0, width: 1280, height } });
  }
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = () => page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
  expect(await overflow()).toBe(0);
  expect(problems).toEqual([]);
});
