// `almanac page`: what it says to somebody who never opens git, and where it is written.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApplied, openWorld } from '../support/world.ts';

const weekly = {
  identifier: '12db1a0a',
  name: 'Weekly sales',
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'pdf',
  destinationType: 'email',
  recipients: ['${audience.finance}', 'kim@partner.com'],
  subject: 'A subject of a mail',
  textBody: 'The text of a mail',
  filterConfig: {
    region: { values: ['Europe'] },
    order_date: { kind: 'TIME_FOR_INTERVAL_DURATION', left_side: '7 days ago', right_side: '7 days' },
    order_status: { values: ['lost'], is_negative: true },
  },
  meta: { owner: '@acme/finance', tags: ['board'], note: 'See https://hooks.slack.com/services/T0/B0/secret' },
};

const declared = {
  schedules: {
    weekly,
    'stock-alert': {
      identifier: '3f9c2b71',
      name: 'Stock alert',
      schedule: '0 * ? * MON-FRI *',
      timezone: 'Europe/London',
      format: 'link_only',
      destinationType: 'webhook',
      url: 'https://hooks.example.com/stock/a-secret-path?token=a-secret-token',
      conditionType: 'RESULTS_PRESENT',
      conditionQueryMapKey: 'Qw8Zt4Lp',
    },
    export: {
      identifier: 'b4d86e20',
      name: 'Month end',
      schedule: '0 18 L * ? *',
      timezone: 'Europe/London',
      format: 'csv',
      destinationType: 'sftp',
      address: 'sftp.acme.com',
      port: 22,
      username: 'a-user-name',
      path: '/incoming/a-path',
      passwordUnencrypted: '${env.SFTP_PASSWORD}',
      paused: true,
    },
  },
  audiences: { finance: { emails: ['ana@acme.com', 'cfo@acme.com'] } },
  dashboards: { sales: { identifier: '12db1a0a', filters: { region: { values: ['Europe'] } } } },
  aiJobs: {
    summary: { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'A prompt of a job', topicName: 'order_items' },
  },
};
const config = { safety: { internalDomains: ['acme.com', 'example.com'] } };
const environment = { SFTP_PASSWORD: 'a-password-of-sftp' };

const open = () => openWorld(declared, { config, environment });

/** Its text, a line for each block. */
const readable = (html: string) =>
  html
    .replace(/<(style|script)>[\s\S]*?<\/\1>/g, '')
    .replace(/<(?:article|section|div|li|p|dt|dd|h\d|span class="pair")(?=[ >])[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');

const section = (html: string, id: string) => {
  const [, found = ''] = new RegExp(`<section id="${id}"[^>]*>([\\s\\S]*?)</section>`).exec(html) ?? [];
  return readable(found);
};

describe('the page', () => {
  it('says of each report when it runs, who receives it and why, what it shows and where it is declared', async () => {
    const world = await open();
    const { code, stdout, stderr } = await world.run('page --out -');
    expect(code, stderr).toBe(0);
    const [, card = ''] = /<article id="schedules\.weekly">([\s\S]*?)<\/article>/.exec(stdout) ?? [];
    expect(readable(card)).toEqual([
      'Weekly sales goes outside',
      'At 09:00 on Monday Europe/London',
      'Next: Mon 2 Mar 2026, 09:00',
      expect.stringMatching(/^schedules\/all\.yaml:\d+$/),
      'To',
      'list finance: ana@acme.com, cfo@acme.com',
      'outside kim@partner.com',
      'What',
      'PDF of sales (12db1a0a), by e-mail',
      'Filters',
      'region: Europe',
      'order_date: from 7 days ago for 7 days',
      'order_status: not lost',
      'Owner',
      '@acme/finance',
      'Note',
      'See hooks.slack.com/…',
      'Tags',
      'board',
    ]);
    expect(world.asked()).toEqual([]);
  });

  it('answers what arrives when, what a person receives and why, what goes outside and what is paused', async () => {
    const { stdout } = await (await open()).run('page --out -');
    const week = section(stdout, 'week');
    expect(week.slice(week.indexOf('Monday 2 Mar 2026'), week.indexOf('Tuesday 3 Mar 2026'))).toEqual([
      'Monday 2 Mar 2026',
      'All day 1',
      'every hour',
      'Stock alert only if there are rows',
      'Morning 1',
      '09:00',
      'Weekly sales',
    ]);
    const people = section(stdout, 'people');
    expect(people.slice(people.indexOf('ana@acme.com 1 report'), people.indexOf('cfo@acme.com 1 report'))).toEqual([
      'ana@acme.com 1 report',
      'Through the list finance',
      'Weekly sales At 09:00 on Monday, London',
    ]);
    expect(section(stdout, 'outside').slice(2)).toEqual([
      'partner.com 1 report',
      'kim@partner.com',
      'Weekly sales At 09:00 on Monday, London',
    ]);
    expect(section(stdout, 'paused')).toContain(
      'Month end At 18:00, on the last day of the month, Europe/London; 1 recipient',
    );
    expect(section(stdout, 'dashboards')).toContain('sales (12db1a0a) 1 report');
    expect(section(stdout, 'places')).toEqual(
      expect.arrayContaining(['hooks.example.com 1 report', 'sftp.acme.com 1 report, 1 paused']),
    );
  });

  it('says what a person receives in which way, and how much of what goes outside goes to several domains', async () => {
    const { conditionType: _type, conditionQueryMapKey: _key, url: _url, ...plain } = declared.schedules['stock-alert'];
    const mail = { ...plain, format: 'pdf', destinationType: 'email', subject: 'A subject' };
    const schedules = {
      ...Object.fromEntries(
        Array.from({ length: 13 }, (_, index) => [
          `r${index}`,
          { ...mail, name: `R${10 + index}`, recipients: ['ana@acme.com'], paused: index > 11 },
        ]),
      ),
      both: { ...mail, name: 'Both', recipients: ['ana@acme.com', '${audience.partners}'] },
      noted: {
        ...mail,
        name: 'Noted',
        recipients: ['${audience.partners}', 'lee@partner.com'],
        paused: true,
        meta: { note: 'Until the new model is live.' },
      },
    };
    const audiences = { partners: { emails: ['ana@acme.com', 'kim@partner.com', 'ops@other.com'] } };
    const { stdout } = await (await openWorld({ schedules, audiences }, { config })).run('page --out -');
    const people = section(stdout, 'people');
    expect(people).toContain('ana@acme.com 15 reports: 14 directly, 1 through partners; 2 paused');
    expect(people.join('\n')).toContain('and 4 more, 1 paused');
    expect(section(stdout, 'outside')).toEqual([
      'Outside the company',
      'Reports that somebody outside of the company receives, by domain. 2 reports, 1 paused; 2 go to two domains.',
      'other.com 2 reports',
      'ops@other.com, through the list partners',
      'Both Every hour, Monday through Friday, London',
      'Noted paused Every hour, Monday through Friday, London',
      'partner.com 2 reports',
      'lee@partner.com',
      'Noted paused Every hour, Monday through Friday, London',
      'kim@partner.com, through the list partners',
      'Both Every hour, Monday through Friday, London',
      'Noted paused Every hour, Monday through Friday, London',
    ]);
    const paused = section(stdout, 'paused');
    expect(paused.slice(paused.findIndex((line) => line.startsWith('Noted')))).toEqual([
      expect.stringMatching(/^Noted .*, Europe\/London; 4 recipients$/),
      'Until the new model is live.',
      expect.stringMatching(/; 1 recipient$/),
    ]);
  });

  it('leaves out the runs of today that are over, and counts the others', async () => {
    const twice = { ...weekly, name: 'Twice', schedule: '0 9,18 ? * MON *' };
    const world = await openWorld(
      { ...declared, schedules: { ...declared.schedules, twice } },
      { config, environment },
    );
    world.until(2, 12);
    const week = section((await world.run('page --out -')).stdout, 'week');
    expect(week.slice(week.indexOf('Monday 2 Mar 2026'), week.indexOf('Tuesday 3 Mar 2026'))).toEqual([
      'Monday 2 Mar 2026',
      'All day 1',
      'every hour',
      'Stock alert only if there are rows',
      'Evening 1',
      '18:00',
      'Twice',
    ]);
    expect(week).toContain('Mon2 Mar 2');
    world.until(2, 23, 30);
    const late = section((await world.run('page --out -')).stdout, 'week');
    expect(late[late.indexOf('Monday 2 Mar 2026') + 1]).toBe('Nothing more is delivered.');
  });

  it('has no text of a mail, no path, no user, no prompt and no secret', async () => {
    const { stdout } = await (await open()).run('page --out -');
    for (const hidden of ['of a mail', 'a-secret', 'a-path', 'a-user', 'a-password', 'of a job', 'services/T0'])
      expect(stdout).not.toContain(hidden);
  });

  it('says from which commit it was made, and what is not applied yet', async () => {
    const { weekly: first, 'stock-alert': second } = declared.schedules;
    const { audiences } = declared;
    const openCheckout = async () => ({
      head: async () => 'c0ffee'.repeat(7).slice(0, 40),
      standing: async () => undefined,
    });
    const world = await openApplied({ schedules: { weekly: first }, audiences }, { config, outside: { openCheckout } });
    world.declare({ weekly: first, 'stock-alert': second }, { audiences });
    const { stdout } = await world.run('page --out -');
    expect(readable(stdout).join('\n')).toContain('Made on 1 Mar 2026, 00:00 UTC from commit c0ffeec0ffee.');
    expect(section(stdout, 'reports')).toEqual(
      expect.arrayContaining(['Stock alert not applied yet', 'Weekly sales goes outside']),
    );
  });

  it('names who is declared where an environment delivers to its sinks, and says so', async () => {
    const environments = { staging: { deliver: { email: ['tests@acme.com'] } } };
    const { audiences } = declared;
    const world = await openWorld({ schedules: { weekly }, audiences }, { config: { ...config, environments } });
    const { stdout } = await world.run('page --env staging --out -');
    expect(section(stdout, 'reports')).toContain('Weekly sales goes outside to the test receivers of staging instead');
    expect(stdout).not.toContain('tests@acme.com');
  });

  it('shows a routine as it shows a schedule, without its prompt', async () => {
    const routines = {
      digest: {
        modelId: '770e8400-e29b-41d4-a716-446655440002',
        topicName: 'order_items',
        name: 'Daily digest',
        prompt: 'A prompt of a routine',
        schedule: '0 7 * * ? *',
        timezone: 'Europe/London',
        destination: { type: 'email', recipientEmails: ['${audience.finance}'] },
      },
    };
    const world = await openWorld({ routines, audiences: declared.audiences }, { config });
    const { stdout, stderr } = await world.run('page --out -');
    expect(stderr).toBe('');
    expect(section(stdout, 'reports')).toEqual([
      'All reports',
      'Daily digest',
      'At 07:00 Europe/London',
      'Next: Sun 1 Mar 2026, 07:00',
      expect.stringMatching(/^schedules\/all\.yaml:\d+$/),
      'To',
      'list finance: ana@acme.com, cfo@acme.com',
      'What',
      'AI text on order_items, by e-mail',
    ]);
    expect(stdout).not.toContain('A prompt');
  });

  it('names the user groups that receive a report', async () => {
    const grouped = { ...weekly, recipients: ['ana@acme.com'], userGroups: ['Board members', '${audience.finance}'] };
    const audiences = { finance: { userGroups: ['Finance'] } };
    const world = await openWorld({ schedules: { grouped }, audiences }, { config });
    const { stdout, stderr } = await world.run('page --out -');
    expect(stderr).toBe('');
    expect(section(stdout, 'reports')).toEqual(
      expect.arrayContaining(['Board members (a group), ana@acme.com', 'list finance: Finance (a group)']),
    );
    expect(section(stdout, 'places')).toContain('Board members (a group) 1 report');
    const masked = await world.run('page --mask-recipients --out -');
    expect(section(masked.stdout, 'reports')).toContain('Board members (a group), 1 person of acme.com');
  });

  it('shows only what is selected, and says so', async () => {
    const { stdout } = await (await open()).run('page tag:board --out -');
    expect(stdout.match(/<article /g)).toHaveLength(1);
    expect(readable(stdout).join('\n')).toContain('Only the reports that these select: tag:board.');
  });

  it('does not say who is outside where no domain is listed as internal', async () => {
    const world = await openWorld(declared, { environment });
    const { stdout } = await world.run('page --out -');
    expect(stdout).not.toContain('<section id="outside"');
    expect(stdout).not.toContain('goes outside');
    expect(readable(stdout).join('\n')).toContain('It is not known who is outside the company');
  });

  it('links a dashboard in Omni, and tells reports of one name apart by their keys', async () => {
    const two = { schedules: { one: weekly, two: weekly }, audiences: declared.audiences };
    const world = await openWorld(two, { api: { baseUrl: 'https://acme.omniapp.co/api' } });
    const { stdout } = await world.run('page --out -');
    expect(stdout).toContain('PDF of <a href="#dashboard-12db1a0a">dashboard 12db1a0a</a>');
    const [, card = ''] = /<div class="group" id="dashboard-12db1a0a">([\s\S]*?)<\/div>/.exec(stdout) ?? [];
    expect(readable(card).slice(0, 2)).toEqual(['dashboard 12db1a0a 2 reports', 'Open in Omni \u2197']);
    expect(card).toContain('<a href="https://acme.omniapp.co/dashboards/12db1a0a" rel="external">');
    expect(stdout).toContain('<a href="#schedules.two">Weekly sales (two)</a>');
  });
});

describe('the file of the page', () => {
  it('replaces an older page, and another file only with --force', async () => {
    const world = await open();
    const first = await world.run('page');
    expect(first).toMatchObject({
      code: 0,
      stdout: 'Wrote almanac.html: 3 reports.\n',
    });
    expect((await world.run('page')).code).toBe(0);
    world.write({ 'almanac.html': '<!doctype html><title>Ours</title>' });
    const refused = await world.run('page');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('almanac.html is there already and is not a page of Almanac');
    expect(world.read('almanac.html')).toContain('Ours');
    expect((await world.run('page --force')).code).toBe(0);
    expect(world.read('almanac.html')).toContain('Weekly sales');
  });

  it('is none that Almanac reads or keeps', async () => {
    const world = await open();
    for (const path of ['almanac.yaml', 'schedules/all.yaml', 'almanac.state.json'])
      expect((await world.run('page', '--force', '--out', path)).code, path).toBe(1);
    expect(existsSync(join(world.path, 'almanac.html'))).toBe(false);
  });

  it('is the same for the same clock, and has no part that the clock of the machine decides', async () => {
    const world = await open();
    const [first, second] = [await world.run('page --out -'), await world.run('page --out -')];
    expect(second.stdout).toBe(first.stdout);
    expect(first.stdout).toContain('<time datetime="2026-03-01T00:00:00.000Z">1 Mar 2026, 00:00 UTC</time>');
  });
});

describe('with --status', () => {
  it('the page says what failed, what is paused in Omni, and how many are not kept here, with one request', async () => {
    const { export: _, ...schedules } = declared.schedules;
    const world = await openApplied({ ...declared, schedules, aiJobs: {}, dashboards: {} }, { config });
    world.makeByHand({ ...weekly, name: 'By hand', recipients: ['x@acme.com'] });
    world.change('Weekly sales', (_fields, schedule) => {
      schedule.lastRun = { at: '2026-03-02T09:01:00.000Z', status: 'ERROR' };
    });
    world.change('Stock alert', (_fields, schedule) => {
      schedule.disabledAt = '2026-03-01T12:00:00.000Z';
    });
    world.until(2, 12);
    world.asked();
    const { code, stdout, stderr } = await world.run('page --status --out -');
    expect(code, stderr).toBe(0);
    expect(world.asked()).toHaveLength(1);
    expect(section(stdout, 'failed')).toEqual([
      'How the last deliveries ended',
      'Failed, missed or stopped',
      'Weekly sales failed last run ended 2 Mar 2026, 09:01 UTC',
      '1 schedule in Omni is not kept here.',
    ]);
    expect(section(stdout, 'paused').join('\n')).toContain('Stock alert');
    expect(section(stdout, 'reports')).toContain('Stock alert paused in Omni');
    expect(section(stdout, 'dashboards')).toContain('Sales overview 1 report');
  });

  it('needs operations full', async () => {
    const { audiences } = declared;
    const world = await openWorld({ schedules: { weekly }, audiences }, { config, operations: 'core' });
    expect((await world.run('page --status --out -')).stderr).toContain('operations: full');
    expect((await world.run('page --out -')).code).toBe(0);
  });
});
