import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../../chromium.ts';

export type { Browser, Page } from 'playwright-core';

export const launchBrowser = (): Promise<Browser> => chromium.launch(chromiumOptions());
