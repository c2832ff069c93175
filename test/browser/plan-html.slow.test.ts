// The HTML report in a real browser: on a phone and on a desktop, in light and dark mode, with nothing fetched and
// nothing printed to the console. SCREENSHOTS=FOLDER keeps pictures.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { hostileMarkup } from '../support/report/hostile-markup.ts';
import * as samples from '../support/report/plan-samples.ts';
import { type Chromium, openChromium } from './chromium.ts';
import { faintTexts } from './contrast.ts';

const now = Date.UTC(2026, 10, 21);
const shots = process.env['SCREENSHOTS'];

/** Every text of a declaration is an attack, and also long. */
function attackedWith(text: string): PlanDocument {
  const name = `${text} ${'x'.repeat(300)}`;
  const attributes = { ...samples.weeklySales, name, subject: text, recipients: [`${text}@example.org`], [text]: text };
  const change = { ...samples.createChange, address: `schedules.${text}`, file: `${text}.yaml`, after: attributes };
  const update = { ...samples.updateChange, before: samples.weeklySales, after: attributes, blocked: text, id: text };
  return samples.planOf(
    [change, { ...update, diff: [{ path: '/name', op: 'change', before: text, after: name, sensitive: false }] }],
    {
      baseUrl: text,
      orphans: [{ id: text, address: text, identifier: text, name: text, since: text }],
      unresolved: [{ address: text, action: 'create', since: text }],
      drift: [{ address: `schedules.${text}`, diff: [{ path: `/${text}`, op: 'add', after: text, sensitive: false }] }],
      diagnostics: [
        {
          severity: 'warning',
          code: 'missing-variable',
          summary: text,
          message: text,
          file: text,
          line: 1,
          hint: text,
        },
      ],
    },
  );
}

const busyWeek = samples.planOf(
  Array.from({ length: 40 }, (_, index) => {
    const before = `0 ${index % 24} ? * ${['MON', 'TUE', 'FRI'][index % 3]} *`;
    const after = index % 4 === 0 ? '0/5 9-17 ? * MON-FRI *' : `0 ${(index + 2) % 24} * * ? *`;
    return {
      ...samples.updateChange,
      address: `schedules.report-${index}`,
      before: { ...samples.weeklySales, schedule: before },
      after: { ...samples.weeklySales, schedule: after },
      diff: [{ path: '/schedule', op: 'change', before, after, sensitive: false }],
    };
  }),
);

/** One person leaves, whatever else the lists of recipients hold; and dashboards from before are adopted. */
const equalChanges = samples.planOf(
  [
    ...samples.losesRecipient('kim@example.com', 300),
    ...Array.from({ length: 25 }, (_, index) => ({
      ...samples.adoptChange,
      address: `schedules.adopted-${index}`,
    })),
    {
      ...samples.updateChange,
      action: 'update',
      address: 'schedules.paused',
      after: { ...samples.weeklySales, paused: true },
    },
  ],
  { operations: 'full' },
);

const plans: Readonly<Record<string, PlanDocument>> = {
  'every action': samples.bigPlan,
  'a busy week': busyWeek,
  'equal changes': equalChanges,
  'no changes': samples.planOf([]),
  hostile: attackedWith(hostileMarkup.join(' ')),
};

let browser: Chromium;
let folder: string;
beforeAll(async () => {
  browser = await openChromium();
  folder = mkdtempSync(join(tmpdir(), 'almanac-html-'));
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openReport(plan: PlanDocument, width: number, colorScheme: 'light' | 'dark') {
  const file = join(folder, 'plan.html');
  writeFileSync(file, renderPlanHtml(plan, { now }));
  const page = await browser.context.newPage();
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
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  await page.goto(url);
  return { page, trouble };
}

describe.each(Object.keys(plans))('%s', (name) => {
  const plan = plans[name] ?? samples.planOf([]);

  test.each([
    [360, 'light'],
    [360, 'dark'],
    [1200, 'light'],
    [1200, 'dark'],
  ] as const)('the HTML report is readable at %i pixels, %s', async (width, scheme) => {
    const { page, trouble } = await openReport(plan, width, scheme);
    try {
      // Unfolded, so that everything is laid out.
      await page.evaluate(() => {
        for (const each of document.querySelectorAll('details')) each.open = true;
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await faintTexts(page, 4.5)).toEqual([]);
      expect(trouble).toEqual([]);
      if (shots !== undefined) {
        mkdirSync(shots, { recursive: true });
        const path = join(shots, `${name.replaceAll(' ', '-')}-${width}-${scheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    } finally {
      await page.close();
    }
  });
});

test('a change of the HTML report is unfolded without a script', async () => {
  const { page } = await openReport(busyWeek, 360, 'light');
  try {
    const change = page.locator('details').first();
    expect(await change.locator('dl').isVisible()).toBe(false);
    await change.locator('summary').click();
    expect(await change.locator('dl').isVisible()).toBe(true);
  } finally {
    await page.close();
  }
});

test('hostile text in the HTML report creates no element, link or attribute', async () => {
  const elementsOf = async (plan: PlanDocument) => {
    const { page } = await openReport(plan, 360, 'light');
    try {
      return await page.evaluate(() =>
        [...document.querySelectorAll('*')].map(
          (each) => `${each.tagName} ${[...each.attributes].map(({ name }) => name).join(' ')}`,
        ),
      );
    } finally {
      await page.close();
    }
  };
  const harmless = await elementsOf(attackedWith('harmless'));
  for (const text of hostileMarkup) expect(new Set(await elementsOf(attackedWith(text)))).toEqual(new Set(harmless));
});
