// Headless Chromium for the tests of one file, without a network. A test serves what there is to fetch. Also tells what
// a page did that no page may do.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Opened {
  readonly page: Page;
  /** What it printed, threw, asked and requested. */
  readonly trouble: readonly string[];
}

export interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** In milliseconds since 1970; otherwise the time is right. */
  readonly now?: number;
  readonly javaScriptEnabled?: boolean;
}

/** Runs while the tests of this file do; a page is closed after the test that opened it. */
export function useChromium() {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-browser-'));
  let browser: Browser;
  let context: BrowserContext;
  let opened: (Page | BrowserContext)[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: flags });
    context = await browser.newContext();
  });
  afterEach(async () => {
    for (const each of opened) await each.close();
    opened = [];
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function newPage(javaScriptEnabled: boolean): Promise<Page> {
    const own = javaScriptEnabled ? context : await browser.newContext({ javaScriptEnabled });
    const page = await own.newPage();
    opened.push(javaScriptEnabled ? page : own);
    return page;
  }

  return {
    /** The path of a file with this text. */
    keep: (name: string, html: string): string => {
      writeFileSync(join(folder, name), html);
      return join(folder, name);
    },
    open: async (file: string, look: Look = {}): Promise<Opened> => {
      const { width = 1280, colorScheme = 'light', now, javaScriptEnabled = true } = look;
      const page = await newPage(javaScriptEnabled);
      const trouble: string[] = [];
      page.on('console', (message) => trouble.push(`console: ${message.text()}`));
      page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        trouble.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      const url = pathToFileURL(file).href;
      page.on('request', (request) => {
        if (request.url() !== url) trouble.push(`request: ${request.url()}`);
      });
      if (now !== undefined) await page.clock.setFixedTime(now);
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(url);
      return { page, trouble };
    },
  };
}
