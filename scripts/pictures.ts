// Makes the pictures in README.md, of a page and of a comment. Run `npm run build`, then `node scripts/run.mjs
// scripts/pictures.ts`. Shows the workspace of this repository. Needs Chromium (CHROMIUM names another one).

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { chromium } from 'playwright-core';
import { createEmulator } from '../src/index.ts';

/** Nearly as a code host shows a comment. */
const commentStyle = `body { margin: 0; padding: 1px 20px 16px; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 16px 0 8px; } h2 { font-size: 20px; } h3 { font-size: 16px; }
code, pre { font: 12px/1.45 ui-monospace, Menlo, Consolas, monospace; background: #f3f4f6; border-radius: 6px; }
code { padding: 2px 5px; } pre { padding: 12px; overflow: hidden; } pre code { padding: 0; }
table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: 5px 12px; text-align: left; }
blockquote { margin: 0 0 12px; padding: 0 14px; border-left: 4px solid #9a6700; } ul { padding-left: 24px; }`;

const workspace = mkdtempSync(join(tmpdir(), 'almanac-pictures-'));
const emulator = createEmulator({ operations: 'full' });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const part of ['almanac.yaml', 'schedules']) cpSync(part, join(workspace, part), { recursive: true });
  edit('almanac.yaml', /operations: core\n/, 'operations: full\nsafety: { internalDomains: [example.com] }\n');
  const { baseUrl, organizationKey } = await emulator.listen();
  const service = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey };
  await almanac('apply --auto-approve', service);
  edit('schedules/sales.yaml', /cleo@example.com/, 'kim@partner.com');
  edit('schedules/sales.yaml', /0 9 \? \* MON/, '0 8 ? * MON');

  const comment = (await almanac('plan --format markdown', service)).replace(baseUrl, 'https://acme.omniapp.co/api');
  const html = micromark(comment, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
    .replace('[!CAUTION]', '<strong>Caution</strong>')
    .replaceAll('<details>', '<details open>');
  writeFileSync(
    join(workspace, 'comment.html'),
    `<!doctype html><meta charset="utf-8"><style>${commentStyle}</style>${html}`,
  );
  await picture('comment', { width: 760, height: 560 });

  await almanac('page', { OMNI_BASE_URL: 'https://acme.omniapp.co/api' });
  await picture('almanac', { width: 1000, height: 720 }, 'page');
} finally {
  await browser.close();
  await emulator.close();
  rmSync(workspace, { recursive: true, force: true });
}

function edit(file: string, from: RegExp, to: string): void {
  const path = join(workspace, file);
  const before = readFileSync(path, 'utf8');
  if (!from.test(before)) throw new Error(`${file} does not contain ${from}`);
  writeFileSync(path, before.replace(from, to));
}

async function almanac(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const all = {
    PATH: process.env['PATH'],
    SFTP_PASSWORD: 'a password for the pictures',
    NO_PROXY: '127.0.0.1',
    ...env,
  };
  const command = [resolve('dist/cli.cjs'), ...line.split(' ')];
  return (await promisify(execFile)(process.execPath, command, { cwd: workspace, env: all })).stdout;
}

/** Of the top of `FILE.html`. */
async function picture(file: string, viewport: { width: number; height: number }, name = file): Promise<void> {
  const page = await browser.newPage({ viewport });
  await page.goto(pathToFileURL(join(workspace, `${file}.html`)).href);
  await page.screenshot({ path: `docs/pictures/${name}.png` });
  await page.close();
}
