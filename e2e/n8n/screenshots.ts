// Takes the screenshots of docs/images from the real editor: `node e2e/n8n/screenshots.ts`.
import { fileURLToPath } from 'node:url';
import { listen } from '../../packages/mock-api/src/index.ts';
import { openBrowser, type Page } from './browser.ts';
import { createHome } from './home.ts';
import { startServer } from './server.ts';
import { createOwner } from './session.ts';
import { orderLicense, workflowOf } from './workflows.ts';

const codes = { resource: 'order', operation: 'listOrders', limit: 10, output: 'licenseCodes' };
const executeButton = '[data-test-id="node-execute-button"]';

const take = async (url: string, page: Page): Promise<void> => {
  const shoot = async (name: string) => {
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: fileURLToPath(new URL(`../../docs/images/${name}.png`, import.meta.url)) });
  };
  await page.goto(`${url}/workflow/codes/codes`);
  await page.waitForSelector(executeButton);
  // Hides n8n's own messages, which would cover the subject.
  await page.addStyleTag({ content: '.el-notification { display: none !important }' });
  await page.waitForTimeout(1_500);
  await page.click(executeButton);
  await page.waitForSelector('table');
  await shoot('license-codes');

  await page.click('[data-test-id="credential-edit-button"]');
  await page.waitForSelector('[data-test-id="credentials-config-container-test-success"]');
  await page.fill('[data-test-id="parameter-input-apiKey"] input', 'a-wrong-key');
  await page.click('[data-test-id="credential-save-button"]');
  await page.waitForTimeout(2_000);
  await page.click('text=More details');
  await shoot('credential-rejected');
};

const mock = await listen();
const home = createHome();
try {
  await home.importCredential({ baseUrl: mock.baseUrl, apiKey: mock.keys.business, requestsPerMinute: 60 });
  await home.importWorkflows([workflowOf('codes', orderLicense('codes', codes))]);
  const server = await startServer(home);
  try {
    await createOwner(server.url);
    const browser = await openBrowser(server.url);
    await take(server.url, browser.page).finally(browser.close);
  } finally {
    await server.stop();
  }
} finally {
  home.remove();
  await mock.close();
}
