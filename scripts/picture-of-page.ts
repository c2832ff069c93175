// The picture of a page in README.md, made from the workspace of this repository: `npm run build`, then
// `node scripts/run.mjs scripts/picture-of-page.ts`. Needs Chromium (CHROMIUM names another one).

import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const workspace = mkdtempSync(join(tmpdir(), 'almanac-picture-'));
try {
  for (const part of ['almanac.yaml', 'schedules']) cpSync(part, join(workspace, part), { recursive: true });
  // So that somebody is outside.
  appendFileSync(join(workspace, 'almanac.yaml'), 'safety: { internalDomains: [example.com] }\n');
  execFileSync('sed', ['-i', 's/cleo@example.com/cleo@partner.com/', join(workspace, 'schedules/sales.yaml')]);
  const environment = {
    PATH: process.env['PATH'],
    OMNI_BASE_URL: 'https://acme.omniapp.co/api',
    SFTP_PASSWORD: 'none',
  };
  execFileSync(process.execPath, [resolve('dist/cli.cjs'), 'page'], { cwd: workspace, env: environment });
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1000, height: 720 } });
  await page.goto(pathToFileURL(join(workspace, 'almanac.html')).href);
  await page.screenshot({ path: 'docs/pictures/page.png' });
  await browser.close();
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
