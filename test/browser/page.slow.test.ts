// The page for everybody in a real browser: on a phone and on a desktop, light and dark, on paper, with a keyboard, without
// script, and with 10,000 reports.

import { statSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostileMarkup } from '../support/report/hostile-markup.ts';
import { openFolder, start, workspaceIn } from '../support/workspace.ts';
import { type Look, useChromium } from './chromium.ts';
import { expectReadable } from './readable.ts';

const dayMs = 86_400_000;

const topics = [
  'Sales overview',
  'Finance month end',
  'Cash position',
  'Campaign results',
  'Stock',
  'Returns',
  'Quota',
];
const expressions = ['0 9 ? * MON *', '30 7 ? * MON-FRI *', '0 6 1 * ? *', '0 * ? * MON-FRI *', '15 17 ? * FRI *'];
const zones = ['Europe/London', 'Europe/Berlin', 'America/New_York'];

/** As an organization has them: mails to lists and people, Slack, hooks and buckets; some are paused, some go outside. */
function reports(count: number): Readonly<Record<string, object>> {
  const one = (index: number) => ({
    identifier: `dash-${index % Math.max(3, Math.ceil(count / 8))}`,
    name: `${topics[index % topics.length]}${index < topics.length ? '' : `, region ${Math.floor(index / topics.length)}`}`,
    schedule: expressions[index % expressions.length],
    timezone: zones[index % zones.length],
    format: 'csv',
    ...(index % 3 === 0 ? { filterConfig: { region: { values: ['Europe', 'Asia'] } } } : {}),
    ...(index % 17 === 4 ? { paused: true } : {}),
    ...wayOf(index),
    meta: { owner: '@acme/finance', ...(index % 4 === 0 ? { tags: ['board'], note: 'Asked for by the board.' } : {}) },
  });
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`report-${index}`, one(index)]));
}

function wayOf(index: number): object {
  const people = [`person-${(index * 7) % 83}@acme.com`, `person-${(index * 11 + 1) % 83}@acme.com`];
  const mail = { destinationType: 'email', subject: 'Hello' };
  switch (index % 9) {
    case 1:
      return { ...mail, recipients: ['${audience.finance}', people[0]] };
    case 2:
      return { ...mail, recipients: ['kim@partner.com', 'lee@partner.com'] };
    case 5:
      return { destinationType: 'slack', slackRecipientType: 'channel', recipients: 'C0123456789', textBody: 'Hello' };
    case 7:
      return { destinationType: 'webhook', url: 'https://hooks.acme.com/in' };
    default:
      return { ...mail, recipients: people };
  }
}

const settings = {
  api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' },
  safety: { internalDomains: ['acme.com'] },
};

/** Every text of a declaration is an attack, and also long. */
function attacked(): Readonly<Record<string, object>> {
  const [text, long] = [hostileMarkup.join(' '), 'x'.repeat(300)];
  const [report] = Object.values(reports(1));
  const word = text.replaceAll(/[\s,*]/g, '');
  return {
    attacked: {
      ...report,
      name: `${text} ${long}`,
      filterConfig: { [text]: { values: [text, long] } },
      meta: { owner: word, tags: [word], note: text },
    },
  };
}

const browser = useChromium();
const files = new Map<string, string>();

/** Of reports, with these options. */
const pages: Readonly<Record<string, readonly [schedules: Readonly<Record<string, object>>, ...options: string[]]>> = {
  three: [reports(3)],
  forty: [reports(40)],
  masked: [reports(40), '--mask-recipients'],
  hostile: [attacked()],
  'no reports': [{}],
  '300': [reports(300)],
  '10000': [reports(10_000)],
};

beforeAll(async () => {
  const audiences = { finance: { emails: ['ana@acme.com', 'cfo@acme.com'] } };
  for (const [name, [schedules, ...options]] of Object.entries(pages)) {
    const workspace = openFolder();
    workspace.write({ 'almanac.yaml': settings, 'schedules/all.yaml': { audiences, schedules } });
    const { code, stdout, stderr } = await workspaceIn(workspace, {}).run('page', '--out', '-', ...options);
    workspace.remove();
    expect(code, stderr).toBe(0);
    files.set(name, browser.keep(`${name.replaceAll(' ', '-')}.html`, stdout));
  }
});

/** `age`: since the page was made. */
const look = (name: string, { age = 0, ...how }: Look & { readonly age?: number } = {}) =>
  browser.open(files.get(name) ?? '', { now: start + age, ...how });

const matching = (words: string | RegExp) => (typeof words === 'string' ? words : expect.stringMatching(words));
const found = (page: Page) => page.locator('#found');
const texts = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all.filter((each) => (each as HTMLElement).offsetParent !== null).map((each) => each.textContent?.trim()),
    );

test.each(['three', 'forty', 'masked', 'hostile', 'no reports'])(
  'the page, %s, can be read on a phone and on a desktop, light and dark, and loads nothing',
  async (name) => {
    await expectReadable(`page-${name}`, await look(name), [390, 1280]);
  },
);

describe('who has a keyboard or a screen reader', () => {
  test('the page has its landmarks, one first heading and no level of headings left out', async () => {
    const { page } = await look('forty');
    for (const role of ['banner', 'main', 'search'] as const) expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole('navigation', { name: 'Sections' }).count()).toBe(1);
    expect(await page.getByRole('searchbox', { name: 'Search' }).count()).toBe(1);
    const regions = await page.getByRole('region').evaluateAll((all) => all.map(({ id }) => id));
    expect(regions).toEqual(['week', 'outside', 'paused', 'reports', 'people', 'places', 'dashboards']);
    const levels = await page
      .locator('h1,h2,h3,h4,h5')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('a keyboard skips to the reports, reaches the search with a slash and leaves it with Escape', async () => {
    const { page } = await look('forty');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to all reports');
    await page.keyboard.press('/');
    await page.keyboard.type('stock');
    await expect.poll(() => found(page).textContent()).toMatch(/^\d+ of 40 reports$/);
    await page.keyboard.press('Escape');
    await expect.poll(() => found(page).textContent()).toBe('');
    expect(await page.locator('article:visible').count()).toBe(40);
  });

  test('every link within the page leads somewhere', async () => {
    const { page } = await look('forty');
    const lost = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) =>
        all
          .map((each) => each.getAttribute('href')?.slice(1) ?? '')
          .filter((id) => document.getElementById(decodeURIComponent(id)) === null),
      );
    expect(lost).toEqual([]);
    await page.locator('#week a[href="#schedules.report-1"]').first().click();
    expect(await page.locator('article:target').getAttribute('id')).toBe('schedules.report-1');
    expect(await page.locator('article:target').isVisible()).toBe(true);
  });
});

describe('the search', () => {
  test('all words count, wherever they stand, and the reports come first', async () => {
    const { page } = await look('forty');
    await page.fill('#words', 'FINANCE  cfo');
    await expect.poll(() => found(page).textContent()).toMatch(/of 40 reports$/);
    expect(await page.locator('main > section:visible').first().getAttribute('id')).toBe('reports');
    for (const card of await texts(page, 'article')) expect(card?.toLowerCase()).toMatch(/finance[\s\S]*cfo/);
    await page.fill('#words', 'nothing has this');
    await expect.poll(() => found(page).textContent()).toBe('Nothing found. Try a name, a person or a day.');
    expect(await page.locator('main > section:visible').count()).toBe(0);
  });

  test('a report that is meant by name comes before those that only mention it', async () => {
    const { page } = await look('forty');
    const first = () => page.locator('article:visible h3').first().textContent();
    const before = await first();
    // The owner of every report is @acme/finance.
    await page.fill('#words', 'finance');
    await expect.poll(first).toMatch(/^Finance month end/);
    expect(await found(page).textContent()).toBe('40 of 40 reports');
    await page.fill('#words', '');
    await expect.poll(first).toBe(before);
  });

  test('a person who is meant by name comes first, with what they receive and through which list', async () => {
    const { page } = await look('forty');
    await page.fill('#words', 'ana@acme.com');
    await expect.poll(() => page.locator('main > section:visible').first().getAttribute('id')).toBe('people');
    expect(await texts(page, '#people h3')).toEqual([expect.stringMatching(/^ana@acme\.com \d+ reports$/)]);
    expect(await texts(page, '#people h4')).toEqual(['Through the list finance']);
    await page.fill('#words', '');
    await expect.poll(() => page.locator('main > section').first().getAttribute('id')).toBe('week');
  });

  test('a day and a part of it find what arrives then', async () => {
    const { page } = await look('forty');
    await page.fill('#words', 'monday morning sales');
    await expect.poll(() => texts(page, '#week .day h3')).toEqual(['Monday 2 Mar 2026']);
    expect(await page.locator('main > section:visible').first().getAttribute('id')).toBe('week');
    expect(await texts(page, '#week h4')).toEqual([expect.stringMatching(/^Morning/)]);
    const links = await texts(page, '#week .slot a');
    for (const link of links) expect(link).toMatch(/^Sales overview/);
    expect(await found(page).textContent()).toBe(`${links.length} on Monday morning`);
  });

  test('the sections that a search leaves have the same reports, and the first is the one that was meant', async () => {
    const { page } = await look('forty');
    const rows: readonly (readonly [
      query: string,
      first: string | undefined,
      words: string | RegExp,
      cards?: number,
    ])[] = [
      ['stock', 'reports', '6 of 40 reports', 6],
      ['Who gets the stock report?', 'reports', '6 of 40 reports', 6],
      ['returns, region 4', 'reports', '2 of 40 reports', 2],
      ['paused', 'paused', '3 of 40 reports', 3],
      ['what is external', 'outside', '5 of 40 reports', 5],
      ['kim@partner.com', 'people', '5 of 40 reports', 5],
      ['board mondays', 'week', /^\d+ on Monday$/],
      // Words of headings, which are not words of a report.
      ['directly', undefined, 'Nothing found. Try a name, a person or a day.', 0],
      ['40 dashboards', undefined, 'Nothing found. Try a name, a person or a day.', 0],
    ];
    for (const [query, first, words, count] of rows) {
      await page.fill('#words', '');
      await expect.poll(() => found(page).textContent()).toBe('');
      await page.fill('#words', query);
      await expect.poll(() => found(page).textContent(), { message: query }).toEqual(matching(words));
      const { cards, linked, sections } = await page.evaluate(() => {
        const shown = (selector: string) =>
          [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.offsetParent !== null);
        return {
          cards: shown('article').map(({ id }) => `#${id}`),
          linked: shown('.group li > a').map((link) => link.getAttribute('href')),
          sections: shown('main > section').map(({ id }) => id),
        };
      });
      expect(sections[0], query).toBe(first);
      if (count !== undefined) expect(cards, query).toHaveLength(count);
      expect([...new Set(linked)].sort(), query).toEqual(cards.sort());
    }
  });

  test('a name that begins so comes first, and a link clears a search that found nothing', async () => {
    const { page } = await look('forty');
    await page.fill('#words', 're');
    await expect.poll(() => page.locator('article:visible h3').first().textContent()).toMatch(/^Returns/);
    expect(await page.locator('#clear').isVisible()).toBe(false);
    await page.fill('#words', 'nothing has this');
    await page.locator('#clear').click();
    expect(await page.locator('#words').inputValue()).toBe('');
    expect(await page.locator('article:visible').count()).toBe(40);
  });
});

test('on a phone nothing is below the bar, and a long day keeps its name and its hour in sight', async () => {
  const { page } = await look('300', { width: 390 });
  const box = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => each.getBoundingClientRect().toJSON() as DOMRect);
  await page
    .locator('.slot li:nth-child(15)')
    .first()
    .evaluate((each) => {
      each.closest('.day')?.setAttribute('data-long', '');
      each.closest('.slot')?.setAttribute('data-long', '');
      each.scrollIntoView({ block: 'center' });
    });
  const [bar, day, hour] = [
    await box('#search'),
    await box('.day[data-long] > h3'),
    await box('.slot[data-long] > h5'),
  ];
  expect(day.top).toBeGreaterThanOrEqual(bar.bottom - 1);
  expect(hour.top).toBeGreaterThanOrEqual(day.bottom - 3);
  expect(hour.bottom).toBeLessThan(bar.bottom + 80);
  await page.fill('#words', 'finance');
  await page.locator('#ways a', { hasText: 'By dashboard' }).click();
  await expect.poll(async () => (await box('#dashboards > h2')).top).toBeLessThan(400);
  expect((await box('#dashboards > h2')).top).toBeGreaterThanOrEqual((await box('#search')).bottom);
});

test('the page says that it is old after two days, and not before', async () => {
  for (const [age, words] of [
    [2 * dayMs, ''],
    [2 * dayMs + 60_000, 'This page is 2 days old. Reports may have changed since.'],
    [9 * dayMs, 'This page is 9 days old. Reports may have changed since.'],
  ] as const) {
    const { page } = await look('three', { age });
    expect(await page.locator('#old').textContent()).toBe(words);
    expect(await page.locator('#old').isVisible()).toBe(words !== '');
  }
});

test('without script everything but the search is there', async () => {
  const { page } = await browser.open(files.get('forty') ?? '', { javaScriptEnabled: false });
  expect(await page.locator('article').count()).toBe(40);
  expect(await page.locator('#search').isVisible()).toBe(false);
  for (const id of ['week', 'outside', 'paused', 'reports', 'people', 'places', 'dashboards'])
    expect(await page.locator(`#${id}`).isVisible(), id).toBe(true);
});

test('on paper everything is unfolded, dark on white, and no wider than the sheet', async () => {
  const { page } = await look('forty', { width: 680, colorScheme: 'dark' });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(680);
  expect(await page.locator('#search').isVisible()).toBe(false);
  const folded = await page
    .locator('details li')
    .evaluateAll((all) => all.filter((each) => each.getClientRects().length === 0).length);
  expect(folded).toBe(0);
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
});

test('a policy lets nothing but the one script run, and nothing be sent or loaded', async () => {
  const { page, trouble } = await look('three');
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; base-uri 'none'; form-action 'none'$/,
  );
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken"';
    document.body.append(script);
  });
  expect(await page.title()).toBe('Scheduled reports of acme.omniapp.co');
  expect(trouble.filter((each) => !each.includes('Content Security Policy'))).toEqual([]);
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toBe('noindex, nofollow');
  expect(await page.locator('meta[name="referrer"]').getAttribute('content')).toBe('no-referrer');
});

test('a page of 300 reports has at most 400 kB, and one of 10,000 at most 15 MB and shows text within two seconds', async () => {
  expect(statSync(files.get('300') ?? '').size).toBeLessThanOrEqual(400_000);
  expect(statSync(files.get('10000') ?? '').size).toBeLessThanOrEqual(15_000_000);
  const { page, trouble } = await look('10000', { width: 390 });
  const paints = await page.evaluate(() =>
    performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
  );
  for (const at of paints) expect(at).toBeLessThan(2000);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.fill('#words', 'finance region 7 ana');
  await expect.poll(() => found(page).textContent(), { timeout: 10_000 }).toMatch(/of 10000 reports$/);
  expect(trouble).toEqual([]);
});
