// What needs the name of an environment, and an import into one with sinks. What is planned and refused there is in the
// transcripts.

import { describe, expect, it } from 'vitest';
import type { DoctorDocument } from '../../src/commands/doctor/doctor-document.ts';
import { existing, job, mail, openStage, production, sinks, staging } from '../support/cli/environments-stage.ts';

describe('a run that must name its environment', () => {
  const refused = [
    'plan',
    'apply --auto-approve',
    ...['drift', 'drift --write', 'show', 'import', 'list documents', 'list models', 'validate --online'],
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

  it('fails one check of doctor, which asks nobody, and completes what is declared', async () => {
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
  it('lets an import record what is declared, and plans the sink next', async () => {
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
