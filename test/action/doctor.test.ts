// The action before an apply, with a stub of almanac: what it shows of the checks, and when it stops the job.

import { expect, test } from 'vitest';
import { omniToken, openRunner, stubProgram } from '../support/action/fake-runner.ts';

const ok = { name: 'token', status: 'ok', message: 'OMNI_API_TOKEN holds an organization key.' };
const warning = { name: 'base-url', status: 'warning', message: 'Nothing pins it.', hint: 'Set OMNI_BASE_URL.' };
const failed = {
  name: 'secrets',
  status: 'failed',
  message: 'Not set, or empty: HOOK_KEY (1 resource).',
  hint: 'Set it.',
};
const skipped = { name: 'clock', status: 'skipped', message: 'Omni gave no answer.' };

async function checked(checks: readonly object[], code: number, env: Readonly<Record<string, string>> = {}) {
  const runner = openRunner();
  const stdout = JSON.stringify({ formatVersion: 1, ok: code === 0, checks });
  const program = stubProgram(runner, { doctor: { code, stdout } });
  const step = await runner.run('run.mjs', { ALMANAC_COMMAND: 'doctor', ...env });
  return { step, calls: program.calls() };
}

const annotations = (log: string) => log.split('\n').filter((line) => /^::(?:error|warning|notice) /.test(line));

test('a check that failed is an error of the job, and a warning is a warning', async () => {
  const { step, calls } = await checked([warning, ok, skipped, failed], 1, { ALMANAC_ENVIRONMENT: 'prod' });
  expect(step.code).toBe(1);
  expect(step.outputs).toEqual({ exitcode: '1' });
  expect(annotations(step.log)).toEqual([
    '::warning title=Almanac::base-url: Nothing pins it.%0ASet OMNI_BASE_URL.',
    '::error title=Almanac::secrets: Not set, or empty: HOOK_KEY (1 resource).%0ASet it.',
  ]);
  expect(calls.map(({ args }) => args)).toEqual([['--no-color', '--env=prod', 'doctor', '--format=json']]);
  expect(step.summary).toContain('## Almanac doctor: 1 check failed, 1 warning');
  expect(step.summary).toContain('Environment <code>prod</code>');
  expect(step.summary.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(5);
  expect(step.summary).toMatch(/\| ❌ \| <code>secrets<\/code> \| .*<br>.* \|/);
});

test('a job goes on if no check failed', async () => {
  const { step } = await checked([ok, warning], 0);
  expect(step.code).toBe(0);
  expect(step.summary).toContain('## Almanac doctor: 1 warning');
  const calm = await checked([ok, skipped], 0);
  expect(annotations(calm.step.log)).toEqual([]);
  expect(calm.step.summary).toContain('## Almanac doctor: everything is in place for an apply');
});

test('text of a check is neither markup nor a command to the runner, and holds no secret', async () => {
  const message = `x\n::error::forged | <b>@team</b> [a](https://evil.example) ${omniToken}`;
  const { step } = await checked([{ ...failed, message }], 1);
  expect(annotations(step.log)).toHaveLength(1);
  expect(step.log).not.toContain('\n::error::forged');
  for (const markup of ['<b>', '@team', '](']) expect(step.summary).not.toContain(markup);
  expect(step.log + step.summary).not.toContain(omniToken);
});

test.each([
  ['an error', JSON.stringify({ formatVersion: 1, error: { code: 'interrupted', message: 'Interrupted.' } }), 1],
  ['nothing', '', 0],
])('a doctor that prints %s instead of its checks fails the step', async (_, stdout, code) => {
  const runner = openRunner();
  stubProgram(runner, { doctor: { code, stdout, stderr: 'what happened\n' } });
  const step = await runner.run('run.mjs', { ALMANAC_COMMAND: 'doctor' });
  expect(step.code).toBe(1);
  expect(step.summary).toContain('## almanac doctor failed');
  expect(step.summary).toContain('what happened');
});
