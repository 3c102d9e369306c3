// Takes the screenshots of docs/images from the real editor: `node e2e/n8n/screenshots.ts`.
import { fileURLToPath } from 'node:url';
import { listen } from '../../packages/mock-api/src/index.ts';
import type { Page } from '../mcp/app-host/browser.ts';
import { installClients } from '../mcp/install.ts';
import { createHome } from './home.ts';
import { startServer } from './server.ts';
import { createOwner, owner } from './session.ts';
import { orderLicense, workflowOf } from './workflows.ts';

installClients();
const { launchBrowser } = await import('../mcp/app-host/browser.ts');

const codes = { resource: 'order', operation: 'listOrders', limit: 10, output: 'licenseCodes' };
const executeButton = '[data-test-id="node-execute-button"]';

const logIn = async (url: string, page: Page): Promise<void> => {
  await page.goto(`${url}/signin`);
  await page.fill('input[name="emailOrLdapLoginId"]', owner.email);
  await page.fill('input[name="password"]', owner.password);
  await page.click('[data-test-id="form-submit-button"]');
  await page.waitForURL(/\/(home|workflow)/);
};

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
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 1600, height: 800 }, colorScheme: 'light' });
      await logIn(server.url, page);
      await take(server.url, page);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
} finally {
  home.remove();
  await mock.close();
}
