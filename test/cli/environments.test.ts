// Resources that exist in some environments only, and environments that deliver to sinks: what is planned, what is sent,
// and what needs the name of an environment.

import { describe, expect, it } from 'vitest';
import type { DoctorDocument } from '../../src/commands/doctor/document.ts';
import type { ValidateDocument } from '../../src/commands/validate/document.ts';
import {
  bucket,
  chat,
  existing,
  hook,
  job,
  mail,
  openStage,
  production,
  type Stage,
  sinks,
  staging,
} from '../support/cli/environments-stage.ts';

async function findingsOf(stage: Stage, ...argv: readonly string[]): Promise<ValidateDocument['diagnostics']> {
  const { stdout } = await stage.run('validate', '--format', 'json', ...argv);
  return (JSON.parse(stdout) as ValidateDocument).diagnostics;
}

describe('a resource with `in`', () => {
  it('a resource with `in` is forgotten to an orphan with operations core', async () => {
    const stage = await openStage({ schedules: { mail, chat } }, undefined, { core: true });
    await stage.apply(...staging);
    stage.write({ 'schedules/all.yaml': { schedules: { mail, chat: { ...chat, in: ['production'] } } } });
    expect((await stage.plan(...staging)).changes).toMatchObject([{ action: 'forget', reason: 'not-in-environment' }]);
  });

  it('a resource with `in` keeps its protection where it no longer exists', async () => {
    const kept = { ...chat, lifecycle: { preventDestroy: true } };
    const stage = await openStage({ schedules: { mail, chat: kept } });
    await stage.apply(...staging);
    stage.write({ 'schedules/all.yaml': { schedules: { mail, chat: { ...kept, in: ['production'] } } } });
    const [change] = (await stage.plan(...staging)).changes;
    expect(change?.blocked).toContain('preventDestroy');
  });
});

describe('a run that must name its environment', () => {
  const refused = [
    'plan',
    'apply --auto-approve',
    ...['drift', 'drift --write', 'show', 'import', 'documents', 'validate --online'],
    ...['list', 'show schedules.mail', 'rm schedules.mail', 'orphans', 'pull', 'push other.json'].map(
      (words) => `state ${words}`,
    ),
    ...[
      'mv schedules.mail schedules.other',
      'resolve schedules.mail --retry',
      'unlock',
      'history',
      'check',
      'migrate',
    ].map((words) => `state ${words}`),
    'test schedules.mail --auto-approve',
    ...['status', 'result', 'cancel'].map((word) => `ai ${word} aiJobs.job`),
  ];

  it.each([
    ['environmentRequired', { environmentRequired: true }, mail],
    ['`in`', {}, { ...mail, in: ['production'] }],
  ])(
    'is refused without --env by every command that reads the state or sends, because of %s',
    async (_, more, resource) => {
      const stage = await openStage({ schedules: { mail: resource }, aiJobs: { job } });
      stage.write({ 'almanac.yaml': stage.settings(undefined, more) });
      for (const line of refused) {
        const { code, stderr } = await stage.run(line);
        expect([line, code]).toEqual([line, 1]);
        expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Name the environment with --env.');
        expect(stderr).toContain('staging, production');
      }
      expect(stage.proxy.sent).toEqual([]);
      for (const line of ['validate', 'next', 'fmt --check', 'schema', 'completion bash'])
        expect([line, (await stage.run(line)).code]).toEqual([line, line === 'fmt --check' ? 1 : 0]);
      expect((await stage.run('plan', ...production)).code).toBe(0);
    },
  );

  it('must declare the environments first if there are none', async () => {
    const stage = await openStage({ schedules: { mail: { ...mail, in: ['production'] } } });
    stage.write({ 'almanac.yaml': { api: { baseUrl: stage.proxy.baseUrl } } });
    const { code, stderr } = await stage.run('plan');
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Declare the environments under `environments` in almanac.yaml');
    expect((await findingsOf(stage)).map(({ code: each }) => each)).toEqual(['unknown-environment']);
  });

  it('a run that must name its environment fails one check of doctor, which asks nobody, and completes what is declared', async () => {
    const stage = await openStage({ schedules: { mail } });
    stage.write({ 'almanac.yaml': stage.settings(undefined, { environmentRequired: true }) });
    const { code, stdout } = await stage.run('doctor', '--format', 'json');
    const { checks } = JSON.parse(stdout) as DoctorDocument;
    expect(code).toBe(1);
    expect(checks.filter(({ status }) => status === 'failed')).toMatchObject([
      { name: 'configuration', hint: 'Add --env with one of: staging, production.' },
    ]);
    expect(stage.proxy.sent).toEqual([]);
    const named = JSON.parse((await stage.run('doctor', '--format', 'json', ...staging)).stdout) as DoctorDocument;
    expect(named.checks.find(({ name }) => name === 'configuration')).toMatchObject({ status: 'ok' });
  });
});

describe('an environment with sinks', () => {
  it.each([
    ['text', '5 recipients replaced by the sink of staging.'],
    ['markdown', '5 recipients replaced by the sink of `staging`.'],
    ['html', '5 recipients replaced by the sink of <code>staging</code>'],
  ])('says in %s how many they replaced', async (format, words) => {
    const stage = await openStage({ schedules: { mail, chat, hook }, aiJobs: { job } }, sinks);
    expect((await stage.run('plan', '--format', format, ...staging)).stdout).toContain(words);
  });

  it('judges what is declared by the rules all the same', async () => {
    const stage = await openStage({ schedules: { mail: { ...mail, recipients: ['not an address'] } } }, sinks);
    expect((await findingsOf(stage, ...staging)).map(({ code }) => code)).toEqual(['invalid-email']);
    stage.write({ 'schedules/all.yaml': { schedules: { mail: { ...mail, destinationType: 'emial' } } } });
    expect((await findingsOf(stage, ...staging)).map(({ code }) => code)).toEqual(['unknown-value']);
    const { recipients: _, ...nobody } = mail;
    stage.write({ 'schedules/all.yaml': { schedules: { mail: nobody } } });
    expect((await findingsOf(stage, ...staging)).map(({ code }) => code)).toEqual(['required-field']);
  });

  it.each([
    ['a destination that is refused', { ...sinks, slack: 'refuse' }, { chat }, '/schedules/chat/destinationType'],
    ['a destination without a sink', { email: ['qa@acme.com'] }, { hook }, '/schedules/hook/destinationType'],
    ['a bucket', { ...sinks, s3: 'refuse' }, { bucket }, '/schedules/bucket/destinationType'],
    ['an empty deliver', null, { mail }, '/schedules/mail/destinationType'],
    [
      'fields that nobody knows',
      sinks,
      { mail: { ...mail, extra: { cc: 'eve@customer.example' } } },
      '/schedules/mail/extra',
    ],
  ])('refuses %s', async (_, deliver, schedules, path) => {
    const stage = await openStage({ schedules }, deliver as object);
    expect(await findingsOf(stage, ...staging)).toMatchObject([{ code: 'no-sink', path }]);
    expect((await stage.run('apply', '--auto-approve', ...staging)).code).toBe(1);
    expect(stage.proxy.sent).toEqual([]);
    expect(await findingsOf(stage)).toEqual([]);
  });

  it('an environment with sinks refuses what is not a sink', async () => {
    const stage = await openStage({ schedules: { mail } });
    const codesFor = async (deliver: object) => {
      stage.write({ 'almanac.yaml': stage.settings(deliver) });
      return (await findingsOf(stage, ...staging)).map(({ code, path }) => [code, path]);
    };
    const below = '/environments/staging/deliver';
    expect(await codesFor({ email: ['qa@acme'] })).toContainEqual(['invalid-email', `${below}/email/0`]);
    expect(await codesFor({ email: ['qa@acme.com'], slack: 'U0123' })).toContainEqual([
      'one-slack-channel',
      `${below}/slack`,
    ]);
    expect(await codesFor({ email: ['qa@acme.com'], webhook: 'ftp://x' })).toContainEqual([
      'invalid-url',
      `${below}/webhook`,
    ]);
    expect(await codesFor({ email: ['qa@acme.com'], s3: 'a-bucket' })).toContainEqual(['unknown-value', `${below}/s3`]);
    expect(await codesFor({ emial: ['qa@acme.com'] })).toContainEqual(['unknown-field', `${below}/emial`]);
  });

  it('an environment with sinks lets an import record what is declared, and plans the sink next', async () => {
    const stage = await openStage({}, sinks);
    await existing(stage);
    const identifier = ['--identifier', '12db1a0a'];
    const imported = await stage.run('import', '--write-state', ...identifier, ...staging);
    expect(imported).toMatchObject({ code: 0 });
    const { changes } = await stage.plan(...staging);
    expect(changes.length).toBeGreaterThan(0);
    expect(new Set(changes.map(({ action, reason }) => `${action} ${reason}`))).toEqual(new Set(['update sink']));
    expect(stage.proxy.sent.filter(({ method }) => method !== 'GET' && method !== 'POST')).toEqual([]);
  });
});
