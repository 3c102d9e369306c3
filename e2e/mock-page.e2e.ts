import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen, type MockServer } from '../packages/mock-api/src/index.ts';
import type { Browser, Page } from './mcp/app-host/browser.ts';
import { installClients } from './mcp/install.ts';

installClients();
const { launchBrowser } = await import('./mcp/app-host/browser.ts');

/** `SCREENSHOTS=/tmp/page node e2e/run.ts mock-page` takes pictures; docs/images keeps mock-page. */
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
/** Finds a field by its accessible name. */
const field = (within: Page | ReturnType<typeof section>, name: string) => {
  const [first, ...others] = (['combobox', 'textbox', 'spinbutton'] as const).map((role) =>
    within.getByRole(role, { name, exact: true }),
  );
  return others.reduce((either, other) => either.or(other), first as ReturnType<typeof section>);
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const said = (form: string) => page.locator(`#${form} [role="status"]`).textContent();

test('the journal shows a new request and its answer without a reload', async () => {
  await page.getByText('No requests yet.').waitFor();
  await ask('/orders?per_page=5');
  await expect
    .poll(async () => (await rows())[0])
    .toMatch(/^1\d\d:\d\d:\d\d200GET .*per_page=5business5 of 120 orders$/);
  await ask('/orders/1');
  await expect.poll(async () => (await rows())[0]).toMatch(/404.*orderNotFound$/);
  expect(await rows()).toHaveLength(2);
  expect(problems).toEqual([]);
});

test('explains a violation with the sentence from the API docs, and announces it', async () => {
  await ask('/me');
  await ask('/me', { accept: 'text/html' });
  const news = page.locator('[aria-live="polite"]');
  await expect.poll(() => news.textContent()).toBe('Request 2 broke S-60 (no Accept: application/json).');
  expect(await rows()).toContain('S-60: no Accept: application/json. Every request carries Accept: application/json.');
  await page.getByLabel('Only violations').check();
  await expect.poll(async () => (await rows()).length).toBe(2);
});

test('a filter shows a violation even after many later requests', async () => {
  mock.set({ limit: 'off' });
  await ask('/orders/x');
  for (let n = 0; n < 120; n++) await ask('/me');
  await expect.poll(async () => (await rows())[0]).toMatch(/^121/);
  expect(await rows()).toHaveLength(100);
  await page.getByLabel('Only violations').check();
  await expect.poll(async () => (await rows())[0]).toMatch(/^1\d\d:/);
});

test('shows client input as text, not as HTML', async () => {
  await ask(`/orders?status=<img src=x onerror=alert(1)>&x='"><b>`);
  await expect.poll(async () => (await rows()).length).toBeGreaterThan(1);
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
  await button('Clear journal').click();
  await page.getByText('No requests yet.').waitFor();
  expect(mock.journal.total()).toBe(0);
});

test('the limiter counts down, and advancing the clock resets it', async () => {
  mock.clock.freeze();
  expect(await limitOf('business')).toContain('60 of 60');
  for (let n = 0; n < 61; n++) await ask('/me');
  await expect.poll(() => limitOf('business')).toContain('0 of 60more in 60 s');
  expect(await limitOf('businessSecond')).toContain('60 of 60');
  await button('Resume').click();
  await expect.poll(() => limitOf('business')).toMatch(/0 of 60more in (59|58|57) s/);
  expect((await ask('/me')).status).toBe(429);
  await field(page, 'Seconds').fill('60');
  await button('Advance').click();
  await expect.poll(() => said('advance')).toBe('The clock was advanced by 60 s.');
  await expect.poll(() => limitOf('business')).toMatch(/60 of 60$/);
  expect((await ask('/me')).status).toBe(200);
  await button('Freeze').click();
  await expect.poll(() => page.locator('#clock').textContent()).toMatch(/UTC, frozen$/);
});

test('a setting and a profile take effect on the next request', async () => {
  const settings = section('Profile and settings');
  await field(settings, 'Setting').selectOption('money');
  await field(settings, 'Value').selectOption('number');
  await button('Change').click();
  await expect.poll(() => said('setting')).toBe('money is number from the next request on.');
  expect((await ask('/orders')).text).toMatch(/"gesamtpreis_brutto":\d/);
  await field(settings, 'Setting').selectOption('limit');
  await field(settings, 'Value').fill('many');
  await button('Change').click();
  await expect.poll(() => said('setting')).toMatch(/^limit must be a whole number from 1 to 1000000, or off/);
  await field(settings, 'Value').fill('off');
  await button('Change').click();
  await page.getByText('There is no limit.').waitFor();
  await field(settings, 'Profile').selectOption('lenient');
  await button('Use profile').click();
  await expect.poll(() => said('profile')).toBe('The profile is lenient.');
  expect((await ask('/orders?page=0')).status).toBe(200);
  mock.set({ dates: 'iso' }); // as a program would
  await settings.getByText('dates = iso').waitFor();
});

test('a fault is added, hit and cleared', async () => {
  const faults = section('Faults');
  await field(faults, 'Fault').selectOption('html');
  await field(faults, 'Status').fill('503');
  await field(faults, 'Operation').selectOption('list');
  await button('Add fault').click();
  await faults.getByText('html, status 503, operation list: hit 0 of 1').waitFor();
  expect((await ask('/orders')).status).toBe(503);
  await faults.getByText('html, status 503, operation list: hit 1 of 1').waitFor();
  await expect.poll(async () => (await rows())[0]).toContain('fault html');
  await button('Clear faults').click();
  await faults.getByText('No faults are pending.').waitFor();
  expect(mock.faults.list()).toEqual([]);
});

test('a scenario is started, listed and cleared', async () => {
  const scenarios = section('Scenarios');
  await field(scenarios, 'Scenario').selectOption('revocation');
  await field(scenarios, 'Options (JSON)').fill('{"requests": 2}');
  await button('Start scenario').click();
  await expect.poll(() => said('scenario')).toBe('The scenario revocation was started.');
  await scenarios.getByText('revokeKey, key "business": after 2 requests').waitFor();
  await field(scenarios, 'Options (JSON)').fill('{"request": 2}');
  await button('Start scenario').click();
  await expect.poll(() => said('scenario')).toContain('has no "request"; use one of key, requests');
  await button('Clear scenarios').click();
  await scenarios.getByText('No steps are pending.').waitFor();
  expect(mock.scenarios.list()).toEqual([]);
});

test('resets the mock', async () => {
  await ask('/me');
  mock.set({ money: 'number' });
  mock.clock.freeze(0);
  await page.getByText('money = number').waitFor();
  await button('Reset mock').click();
  await expect.poll(() => said('reset')).toBe('The mock is reset.');
  await page.getByText('No requests yet.').waitFor();
  expect([mock.settings().money, mock.clock.isFrozen()]).toEqual(['string', false]);
});

test('an added order appears in GET /orders', async () => {
  const order = section('Add an order');
  await field(order, 'Product').fill('Windows 12 Pro');
  await field(order, 'Quantity').fill('3');
  await field(order, 'Unit price').fill('149.00');
  await field(order, 'Codes delivered').fill('1');
  await button('Add order').click();
  await expect.poll(() => said('order')).toMatch(/^Order B-\S+ was added. Its ID is \d+\.$/);
  const id = /\d+(?=\.$)/.exec((await said('order')) ?? '')?.[0];
  const { orders } = JSON.parse((await ask('/orders')).text).data;
  expect(orders[0]).toMatchObject({ id: Number(id), status: 'bezahlt', gesamtpreis_brutto: '447.00' });
  await field(order, 'Unit price').fill('dear');
  await button('Add order').click();
  await expect.poll(() => said('order')).toContain('einzelpreis_brutto');
});

test('every action works with the keyboard alone', async () => {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document as unknown as {
        activeElement: { labels?: { textContent: string }[]; textContent: string };
      };
      return (activeElement.labels?.[0] ?? activeElement).textContent.trim().split('\n')[0];
    });
  const tabTo = async (name: string) => {
    for (let n = 0; n < 40; n++) {
      await page.keyboard.press('Tab');
      if ((await focused())?.startsWith(name)) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await ask('/orders/x');
  await tabTo('Only violations');
  await page.keyboard.press('Space');
  await tabTo('Seconds');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect.poll(() => said('advance')).toMatch(/advanced by/);
  await tabTo('Freeze');
  await page.keyboard.press('Enter');
  await expect.poll(() => said('advance')).toBe('The clock is frozen.');
  await tabTo('Profile');
  await page.keyboard.type('len');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => mock.profile()).toBe('lenient');
  await tabTo('Setting');
  await page.keyboard.type('dates');
  await tabTo('Value');
  await page.keyboard.type('iso');
  await tabTo('Change');
  await page.keyboard.press('Enter');
  await expect.poll(() => mock.settings().dates).toBe('iso');
  await tabTo('Fault');
  await page.keyboard.type('redirect');
  await tabTo('Add fault');
  await page.keyboard.press('Space');
  await expect.poll(() => mock.faults.list()).toMatchObject([{ kind: 'redirect' }]);
  await tabTo('Product');
  await page.keyboard.press('Enter');
  await expect.poll(() => said('order')).toMatch(/was added/);
  expect(await focused()).toBe('Product');
});

test('a poll keeps what the user is typing and choosing', async () => {
  const settings = section('Profile and settings');
  await field(settings, 'Setting').selectOption('limit');
  await field(settings, 'Value').fill('12');
  await page.keyboard.press('Tab');
  mock.set({ dates: 'iso' });
  await settings.getByText('dates = iso').waitFor();
  expect(await field(settings, 'Value').inputValue()).toBe('12');
});

test('reports that the mock has stopped, and shows a new one', async () => {
  const { port } = new URL(mock.baseUrl);
  await ask('/me');
  await mock.close();
  await page.getByText('The mock does not answer. The page keeps asking.').waitFor();
  mock = await listen({ port: Number(port) });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('No requests yet.').waitFor();
});

test('sends no requests while the page is hidden', async () => {
  let requests = 0;
  page.on('request', () => requests++);
  await page.evaluate(() => {
    const page = globalThis as unknown as { document: { dispatchEvent(event: Event): void } };
    Object.defineProperty(page.document, 'hidden', { value: true, configurable: true });
    page.document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.waitForTimeout(300); // for a running poll to end
  requests = 0;
  await page.waitForTimeout(1_500);
  expect(requests).toBe(0);
  const polled = page.waitForResponse(/\/journal/);
  await page.evaluate(() => {
    const page = globalThis as unknown as { document: { dispatchEvent(event: Event): void } };
    Object.defineProperty(page.document, 'hidden', { value: false, configurable: true });
    page.document.dispatchEvent(new Event('visibilitychange'));
  });
  await polled;
});

test.each(['light', 'dark'] as const)("follows the system's %s theme, and fits on a phone", async (colorScheme) => {
  await openPage({ colorScheme, viewport: { width: 1280, height: 1010 } });
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
  const name = colorScheme === 'light' ? 'mock-page' : 'mock-page.dark';
  if (folder) {
    await page.screenshot({ path: `${folder}/${name}.full.png`, fullPage: true });
    const box = await section('Profile and settings').boundingBox();
    const height = (box?.y ?? 0) + (box?.height ?? 0) + 14;
    await page.screenshot({ path: `${folder}/${name}.png`, clip: { x: 0, y: 0, width: 1280, height } });
  }
  await page.setViewportSize({ width: 360, height: 800 });
  const overflow = () => page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
  expect(await overflow()).toBe(0);
  if (folder) await page.screenshot({ path: `${folder}/${name}.phone.png`, fullPage: true });
  expect(problems).toEqual([]);
});
