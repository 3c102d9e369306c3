import { chromiumOptions } from '../chromium.ts';
import { requireFromN8n } from './install.ts';
import { owner } from './session.ts';

/** The part of playwright-core used here. The package comes with n8n, so the type check cannot read its types. */
export interface Page {
  goto(url: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  fill(selector: string, value: string): Promise<void>;
  waitForSelector(selector: string): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
  waitForURL(url: RegExp): Promise<void>;
  screenshot(options: { path: string }): Promise<Buffer>;
  addStyleTag(options: { content: string }): Promise<unknown>;
}

interface Playwright {
  chromium: {
    launch(options: object): Promise<{ newPage(options: object): Promise<Page>; close(): Promise<void> }>;
  };
}

export interface Browser {
  page: Page;
  close(): Promise<void>;
}

/**
 * Opens a headless Chromium that is logged in to an n8n as its owner.
 * @throws if there is no Chromium on the PATH or among this system's packages
 */
export const openBrowser = async (url: string): Promise<Browser> => {
  const { chromium } = requireFromN8n('playwright-core') as Playwright;
  const browser = await chromium.launch(chromiumOptions());
  const page = await browser.newPage({ viewport: { width: 1600, height: 800 }, colorScheme: 'light' });
  await page.goto(`${url}/signin`);
  await page.fill('input[name="emailOrLdapLoginId"]', owner.email);
  await page.fill('input[name="password"]', owner.password);
  await page.click('[data-test-id="form-submit-button"]');
  await page.waitForURL(/\/(home|workflow)/);
  return { page, close: () => browser.close() };
};
