// The HTML report in a real browser: on a phone and on a desktop, in light and dark mode, with nothing fetched and
// nothing printed to the console.

import { expect, test } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { renderPlanHtml } from '../../src/report/plan/plan-html.ts';
import { hostileMarkup } from '../support/report/hostile-markup.ts';
import * as samples from '../support/report/plan-samples.ts';
import { useChromium } from './chromium.ts';
import { expectReadable } from './readable.ts';

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

const newTimes = samples.planOf(
  Array.from({ length: 40 }, (_, index) => {
    const before = `0 ${index % 24} ? * ${['MON', 'TUE', 'FRI'][index % 3]} *`;
    const after = `0 ${(index + 2) % 24} * * ? *`;
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
  'new times': newTimes,
  'equal changes': equalChanges,
  'no changes': samples.planOf([]),
  hostile: attackedWith(hostileMarkup.join(' ')),
};

const browser = useChromium();
const show = (plan: PlanDocument, width?: number) =>
  browser.open(browser.keep('plan.html', renderPlanHtml(plan)), { width });

test.each(Object.entries(plans))(
  'the HTML report of a plan, %s, can be read on a phone and on a desktop, light and dark, and loads nothing',
  async (name, plan) => {
    await expectReadable(name, await show(plan), [360, 1200]);
  },
);

test('a change of the HTML report is unfolded without a script', async () => {
  const { page } = await show(newTimes, 360);
  const change = page.locator('details').first();
  expect(await change.locator('dl').isVisible()).toBe(false);
  await change.locator('summary').click();
  expect(await change.locator('dl').isVisible()).toBe(true);
});

test('hostile text in the HTML report creates no element, link or attribute', async () => {
  const { page } = await show(attackedWith('harmless'));
  const texts = ['harmless', ...hostileMarkup];
  const elements = await page.evaluate(
    (pages) =>
      pages.map((html) => {
        const all = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('*');
        return [...all].map((each) => `${each.tagName} ${[...each.attributes].map(({ name }) => name).join(' ')}`);
      }),
    texts.map((text) => renderPlanHtml(attackedWith(text))),
  );
  const [harmless, ...others] = elements.map((all) => [...new Set(all)].sort());
  expect(harmless).toContain('BODY ');
  for (const [index, found] of others.entries()) expect(found, hostileMarkup[index]).toEqual(harmless);
});
