// M3: a new destination passed a review as one field among many. What a reviewer must see first is found in the plan, all
// declarations and the state, and opens every report.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/values/json.ts';
import { sensitive } from '../../src/model/values/secret.ts';
import { findDangers } from '../../src/plan/dangers/find-dangers.ts';
import { aiJob, declare, plan, schedule, slack, stateOf } from '../support/plan/planning.ts';
import { bare, dangersOf, found, internalDomains, mail, sftp } from '../support/security/dangers.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const hook = (url: string, fields: JsonObject = {}) => ({ ...bare, destinationType: 'webhook', url, ...fields });
const bucket = (bucketName: string, account: string) => ({
  ...bare,
  destinationType: 's3',
  bucketName,
  region: 'eu-west-1',
  roleArn: `arn:aws:iam::${account}:role/omni`,
});
const channel = (id: string) => slack(id, { slackRecipientType: 'channel' });

describe('a place that receives something for the first time is a danger', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    [
      'a host and a domain under extra',
      mail('a@acme.com'),
      {
        ...mail('a@acme.com'),
        extra: { webhookUrl: 'https://evil.example/x', copies: [{ email: 'eve@bad.example' }] },
      },
      ['outside-domain: bad.example', 'outside-host: evil.example'],
    ],
    [
      'a domain',
      mail('a@acme.com'),
      mail('a@acme.com', 'eve@Evil.example'),
      ['outside-domain: evil.example', 'recipient-added: eve@Evil.example'],
    ],
    [
      'a host that only looks like the old one',
      hook('https://hooks.acme.com/a'),
      hook('https://hooks.acme.com.evil.example/a'),
      ['outside-host: hooks.acme.com.evil.example'],
    ],
    [
      'a host behind user information',
      hook('https://hooks.acme.com/a'),
      hook('https://hooks.acme.com@evil.example/a'),
      ['outside-host: evil.example'],
    ],
    [
      'a domain that only ends like one of ours',
      mail('a@acme.com'),
      mail('a@acme.com', 'eve@evil-acme.com'),
      ['outside-domain: evil-acme.com', 'recipient-added: eve@evil-acme.com'],
    ],
    ['an inside host', hook('https://hooks.acme.com/a'), hook('https://new.acme.com/a'), ['inside-host: new.acme.com']],
    ['an SFTP server', sftp('sftp.partner.example'), sftp('sftp.evil.example'), ['outside-host: sftp.evil.example']],
    ['a bucket', bucket('reports', '111111111111'), bucket('other', '111111111111'), ['new-bucket: other']],
    [
      'an AWS account',
      bucket('reports', '111111111111'),
      bucket('reports', '222222222222'),
      ['new-aws-account: 222222222222'],
    ],
    [
      'a Slack channel',
      channel('C01'),
      channel('C02'),
      ['recipient-added: C02', 'recipient-removed: C01', 'new-slack-channel: C02'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(found(dangersOf({ 'schedules.a': after }, { 'schedules.a': before }))).toEqual(expected);
  });

  test.each([
    ['a@acme.com e@evil.example', 'outside-domain: evil.example'],
    ['Eve <e@evil.example>', 'outside-domain: evil.example'],
    ['a@acme.com;e@evil.example', 'outside-domain: evil.example'],
    ['(e@evil.example)', 'outside-domain: evil.example'],
    ['mailto:e@evil.example', 'outside-domain: evil.example'],
    ['see https://evil.example/x, please', 'outside-host: evil.example'],
    ['//evil.example/x', 'outside-host: evil.example'],
    ['https://hooks.acme.com,@evil.example/x', 'outside-host: evil.example'],
    ['https://hooks.acme.com\t@evil.example/x', 'outside-host: evil.example'],
  ])('an address somewhere in a text under extra: %s', (text, expected) => {
    const before = { ...mail('a@acme.com'), extra: { note: 'https://hooks.acme.com/' } };
    const dangers = dangersOf({ 'schedules.a': { ...before, extra: { note: text } } }, { 'schedules.a': before });
    expect(found(dangers)).toContain(expected);
  });

  test.each(['evil.example/x', 'at noon @ the office', '1/2'])('but not of what has no sign of one: %s', (note) => {
    const before = mail('a@acme.com');
    expect(found(dangersOf({ 'schedules.a': { ...before, extra: { note } } }, { 'schedules.a': before }))).toEqual([]);
  });

  test('the host that an AI job reports to', () => {
    const dangers = dangersOf({ 'aiJobs.q': aiJob({ webhookUrl: 'https://evil.example/x' }) });
    expect(found(dangers)).toEqual(['outside-host: evil.example']);
  });

  test('unless an unchanged schedule delivers there already', () => {
    const other = { 'schedules.other': mail('x@partner.example') };
    const dangers = dangersOf({ ...other, 'schedules.a': mail('b@partner.example') }, other);
    expect(dangers.map(({ title }) => title).join()).not.toContain('first time');
    expect(found(dangers)).toEqual(['outside-recipient: b@partner.example']);
  });

  test('also where only another declaration, which was never applied, names it', () => {
    const declared = { 'schedules.a': mail('b@partner.example'), 'schedules.b': mail('c@partner.example') };
    expect(found(dangersOf(declared, {}, { targets: ['schedules.a'] }))).toEqual([
      'outside-domain: partner.example',
      'outside-recipient: b@partner.example',
    ]);
  });

  test('also where it is adopted, because nobody has looked', () => {
    const desired = declare({ 'schedules.a': mail('b@evil.example') }, { adopt: [['schedules.a', 'an-id']] });
    const { plan: adopting } = plan(desired, undefined, { operations: 'full' });
    expect(found(findDangers(adopting, { state: undefined, internalDomains }))).toEqual([
      'outside-domain: evil.example',
    ]);
  });
});

test('deletes and new outside places are graver than the rest, and come first', () => {
  const dangers = dangersOf(
    {
      'schedules.a': mail('a@acme.com', 'eve@evil.example'),
      'schedules.b': hook('https://sub.acme.com/x'),
      'schedules.c': channel('C02'),
    },
    { 'schedules.a': mail('a@acme.com', 'old@acme.com'), 'schedules.gone': mail('a@acme.com') },
  );
  expect(dangers.map(({ gravity, code }) => `${gravity} ${code}`)).toEqual([
    'grave deleted',
    'grave outside-domain',
    'caution recipient-added',
    'caution recipient-removed',
    'caution inside-host',
    'caution new-slack-channel',
  ]);
});

test('schedules that a plan pauses or resumes are a danger', () => {
  const dangers = dangersOf(
    { 'schedules.a': mail('a@acme.com'), 'schedules.b': schedule({ recipients: ['a@acme.com'], paused: true }) },
    { 'schedules.a': schedule({ recipients: ['a@acme.com'], paused: true }), 'schedules.b': mail('a@acme.com') },
  );
  expect(found(dangers)).toEqual(['paused: schedules.b', 'resumed: schedules.a']);
});

test('a recipient that is hidden behind a secret counts as added', () => {
  const recipients = ['a@acme.com', { $secret: 'a-fingerprint' }];
  const added = dangersOf({ 'schedules.a': schedule({ recipients }) }, { 'schedules.a': mail('a@acme.com') });
  expect(found(added)).toEqual([`recipient-added: ${sensitive}`]);
  const created = dangersOf({ 'schedules.a': schedule({ recipients: [{ $secret: null }] }) });
  expect(found(created)).toEqual([`recipient-added: ${sensitive}`]);
});

describe('a secret that goes to another place is a danger', () => {
  const named = (name: string) => ({ $secret: 'f', text: `\${env.${name}}` });

  test('when the server of a schedule changes', () => {
    const password = { passwordUnencrypted: { $secret: 'f', text: '(sensitive)' } };
    const dangers = dangersOf(
      { 'schedules.a': sftp('sftp.evil.example', password) },
      { 'schedules.a': sftp('sftp.partner.example', password) },
    );
    expect(found(dangers)).toContain('secret-elsewhere: passwordUnencrypted');
  });

  test('when another schedule takes the variable to another host', () => {
    const state = stateOf({
      'schedules.a': sftp('sftp.partner.example', { passwordUnencrypted: named('SFTP_PASSWORD') }),
    });
    const change = {
      ...plan(declare({ 'schedules.b': hook('https://evil.example/') }), undefined).changes[0],
      after: hook('https://evil.example/${env.SFTP_PASSWORD}'),
    } as const;
    const { plan: empty } = plan(declare({}), undefined);
    const dangers = findDangers({ ...empty, changes: [change as never] }, { state, internalDomains });
    const moved = dangers.find(({ code }) => code === 'secret-elsewhere');
    expect(moved?.gravity).toBe('grave');
    expect(moved?.items).toEqual([
      { subject: 'SFTP_PASSWORD', detail: 'to `evil.example`, so far to `sftp.partner.example`, in `schedules.b`' },
    ]);
  });

  test('but not when only its path changes', () => {
    const password = { passwordUnencrypted: { $secret: 'f', text: '(sensitive)' } };
    const dangers = dangersOf(
      { 'schedules.a': sftp('sftp.partner.example', { ...password, path: '/other' }) },
      { 'schedules.a': sftp('sftp.partner.example', password) },
    );
    expect(found(dangers)).toEqual([]);
  });
});

describe('a field that the service does not return', () => {
  const before = stateOf({ 'schedules.a': mail('a@acme.com'), 'schedules.b': mail('a@acme.com') });
  const unread = {
    ...before,
    resources: Object.fromEntries(
      Object.entries(before.resources).map(([address, resource]) => [address, { ...resource, unread: ['subject'] }]),
    ),
  };
  const changed = schedule({ recipients: ['a@acme.com'], name: 'Another' });

  test('is a danger at the first update that sends it', () => {
    const [danger] = dangersOf({ 'schedules.a': changed, 'schedules.b': mail('a@acme.com') }, unread);
    expect(danger?.items).toEqual([
      { subject: 'subject', detail: '`schedules.a`: sets subject, which Omni does not return, to `Weekly sales`' },
    ]);
  });

  test('is one line for many schedules', () => {
    const [danger] = dangersOf({ 'schedules.a': changed, 'schedules.b': changed }, unread);
    expect(danger?.items).toEqual([
      { subject: 'subject', detail: '2 schedules: sets subject, which Omni does not return' },
    ]);
  });
});

describe('every report', () => {
  const declared = (count: number, recipients: readonly string[]) => ({
    'almanac.yaml': {
      api: { baseUrl: 'https://acme.omniapp.co/api', operations: 'full' },
      safety: { internalDomains },
    },
    'schedules/all.yaml': {
      schedules: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`s-${index}`, schedule({ name: `Report ${index}`, recipients })]),
      ),
    },
  });
  const reportOf = async (format: string, count: number, recipients = ['eve@evil.example']) =>
    (await workspaceIn(makeFolder(declared(count, recipients)), {}).run('plan', '--format', format)).stdout;
  const title = '1 outside domain receives something for the first time';

  test.each([
    ['text', 'will be created'],
    ['markdown', '### Changes'],
    ['html', '<h2>Changes</h2>'],
  ])('begins with the dangers: %s', async (format, changes) => {
    const report = await reportOf(format, 1);
    expect(report.indexOf(title)).toBeGreaterThan(-1);
    expect(report.indexOf(title)).toBeLessThan(report.indexOf(changes));
  });

  test.each(['text', 'markdown'])('says the same of 90 schedules in as many lines as of two: %s', async (format) => {
    const [few, many] = [await reportOf(format, 2), await reportOf(format, 90)];
    const end = format === 'text' ? 'Changes are marked' : '### Changes';
    const lines = (report: string) => report.slice(0, report.indexOf(end)).split('\n').length;
    expect(many).toContain('and 89 others');
    expect(lines(many)).toBe(lines(few));
  });

  test('counts a domain and its subdomains as inside where almanac.yaml lists it', async () => {
    const text = await reportOf('text', 1, ['a@mail.acme.com']);
    expect(text).toContain('!  1 inside domain receives');
    expect(text).not.toContain('!!');
  });
});
