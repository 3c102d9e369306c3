// Takes the screenshots of docs/images from the real editor: `node e2e/n8n/screenshots.ts`. To view many more, in both
// themes, pass another folder: `node e2e/n8n/screenshots.ts /tmp/screenshots`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from '../../packages/mock-api/src/index.ts';
import { openBrowser, type Page, type Theme } from './browser.ts';
import { createHome } from './home.ts';
import { startServer } from './server.ts';
import { createOwner } from './session.ts';
import { orderLicense, orderLicenseTrigger, templates, workflowOf } from './workflows.ts';

const [wanted] = process.argv.slice(2);
const folder = wanted ?? fileURLToPath(new URL('../../docs/images/', import.meta.url));
/** The screenshots that the docs show. */
const shown = ['license-codes', 'credential-rejected'];
mkdirSync(folder, { recursive: true });

const mock = await listen();
const home = createHome();
const workflows = [
  workflowOf('list', orderLicense('list', { resource: 'order', operation: 'listOrders' })),
  workflowOf(
    'codes',
    orderLicense('codes', { resource: 'order', operation: 'listOrders', limit: 10, output: 'licenseCodes' }),
  ),
  workflowOf('order', orderLicense('order', { resource: 'order', operation: 'getOrder' })),
  workflowOf(
    'absent',
    orderLicense('absent', {
      resource: 'order',
      operation: 'getOrder',
      order: { __rl: true, mode: 'number', value: 'B-0' },
    }),
  ),
  workflowOf('me', orderLicense('me', { resource: 'account', operation: 'getMe' })),
  { id: 'trigger', name: 'trigger', nodes: [orderLicenseTrigger({})], connections: {} },
];

const take = async (url: string, page: Page, theme: Theme): Promise<void> => {
  const shoot = async (name: string) => {
    if (!wanted && !shown.includes(name)) return;
    const file = theme === 'dark' ? `${name}.dark.png` : `${name}.png`;
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(folder, file) });
    console.log(file);
  };
  const open = async (path: string, sign: string) => {
    await page.goto(`${url}/workflow/${path}`);
    await page.waitForSelector(sign);
    // Hides n8n's own messages, which would cover the subject.
    await page.addStyleTag({ content: '.el-notification { display: none !important }' });
    await page.waitForTimeout(1_500);
  };
  const executeButton = '[data-test-id="node-execute-button"]';
  const openNode = (workflow: string, node = workflow) => open(`${workflow}/${node}`, executeButton);
  const execute = async () => {
    await page.click(executeButton);
    await page.waitForSelector('table, [data-test-id="node-error-message"]');
  };
  const change = async (field: string, value: string) => {
    await page.fill(`[data-test-id="parameter-input-${field}"] input`, value);
    await page.click('[data-test-id="credential-save-button"]');
    await page.waitForTimeout(2_000);
  };

  await openNode('list');
  await execute();
  await shoot('list-orders');
  await openNode('codes');
  await execute();
  await shoot('license-codes');
  await openNode('me');
  await execute();
  await shoot('get-me');
  await openNode('order');
  await page.click('[data-test-id="rlc-input"]');
  await page.waitForSelector('[data-test-id="rlc-item"]');
  await shoot('choose-an-order');
  await page.fill('[data-test-id="rlc-search"]', 'paid');
  await page.waitForTimeout(1_500);
  await page.locator('[data-test-id="rlc-item"]').first().click();
  await execute();
  await shoot('get-order');
  await openNode('absent');
  await execute();
  await shoot('order-not-found');
  await openNode('trigger');
  await execute();
  await shoot('trigger');

  await open('list', '[data-test-id="node-creator-plus-button"]');
  await page.click('[data-test-id="node-creator-plus-button"]');
  await page.fill('[data-test-id="node-creator-search-bar"]', 'order license');
  await page.waitForTimeout(1_500);
  await page.locator('[data-test-id="item-iterator-item"]').first().click();
  await shoot('node-creator');

  await openNode('list');
  await page.click('[data-test-id="credential-edit-button"]');
  await page.waitForSelector('[data-test-id="credentials-config-container-test-success"]');
  await shoot('credential');
  await change('apiKey', 'a-wrong-key');
  await page.click('text=More details');
  await shoot('credential-rejected');
  await change('apiKey', mock.keys.business);

  if (!wanted) return;
  for (const { id } of templates()) {
    await open(id, '[data-test-id="node-creator-plus-button"]');
    await page.click('[data-test-id="zoom-to-fit"]');
    await shoot(id);
  }
};

try {
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, requestsPerMinute: 60 });
  await home.importWorkflows([...workflows, ...templates()]);
  const server = await startServer(home);
  try {
    await createOwner(server.url);
    for (const theme of wanted ? (['light', 'dark'] as const) : (['light'] as const)) {
      const browser = await openBrowser(server.url, theme);
      try {
        await take(server.url, browser.page, theme);
      } catch (error) {
        await browser.page.screenshot({ path: join(folder, 'failed.png') });
        throw error;
      } finally {
        await browser.close();
      }
    }
  } finally {
    await server.stop();
  }
} finally {
  home.remove();
  await mock.close();
}
