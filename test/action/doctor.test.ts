// The action before an apply, with a stub of almanac: what it shows of the checks, and when it stops the job.

import { expect, test } from 'vitest';
import { useAction } from '../support/action/composite.ts';
import { openGithub } from '../support/action/fake-github.ts';
import { githubToken, omniToken, openRunner, stubProgram } from '../support/action/fake-runner.ts';

const ok = { name: 'token', status: 'ok', message: 'OMNI_API_TOKEN holds an organization key.' };
const warning = { name: 'base-url', status: 'warning', message: 'Nothing pins it.', hint: 'Set OMNI_BASE_URL.' };
const message = 'Not set, or empty: HOOK_KEY (1 resource).';
const failed = { name: 'secrets', status: 'failed', message, hint: 'Set it.' };
const skipped = { name: 'state-branch', status: 'skipped', message: 'Nobody was asked.' };

const annotations = (log: string) => log.split('\n').filter((line) => /^::(?:error|warning|notice) /.test(line));
const printed = (checks: readonly object[]) => JSON.stringify({ formatVersion: 1, ok: true, checks });

async function checked(stdout: string, code: number, env: Readonly<Record<string, string>> = {}) {
  const program = stubProgram({ doctor: { code, stdout, stderr: 'what happened\n' } });
  const step = await openRunner({}, program).run('run', { ALMANAC_COMMAND: 'doctor', ...env });
  return { ...step, calls: program.calls };
}

test('a check that failed is an error of the job, and a warning is a warning', async () => {
  const step = await checked(printed([warning, ok, skipped, failed]), 1, { ALMANAC_ENVIRONMENT: 'prod' });
  expect(step.code).toBe(1);
  expect(step.outputs).toEqual({ exitcode: '1' });
  expect(annotations(step.log)).toEqual([
    '::warning title=Almanac::base-url: Nothing pins it.%0ASet OMNI_BASE_URL.',
    '::error title=Almanac::secrets: Not set, or empty: HOOK_KEY (1 resource).%0ASet it.',
  ]);
  expect(step.calls.map(({ args }) => args)).toEqual([['--no-color', '--env=prod', 'doctor', '--format=json']]);
  expect(step.summary).toContain('## Almanac doctor: 1 check failed, 1 warning');
  expect(step.summary).toContain('Environment <code>prod</code>');
  expect(step.summary.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(5);
  expect(step.summary).toMatch(/\| ❌ \| <code>secrets<\/code> \| .*<br>.* \|/);
});

test.each([
  [[ok, warning], '1 warning', 1],
  [[ok, skipped], 'everything is in place for an apply', 0],
])('a job goes on if no check failed: %j', async (checks, words, count) => {
  const step = await checked(printed(checks), 0);
  expect(step.code).toBe(0);
  expect(step.summary).toContain(`## Almanac doctor: ${words}`);
  expect(annotations(step.log)).toHaveLength(count);
});

test('text of a check is neither markup nor a command to the runner, and holds no secret', async () => {
  const text = `x\n::error::forged | <b>@team</b> [a](https://evil.example) ${omniToken}`;
  const step = await checked(printed([{ ...failed, message: text }]), 1);
  expect(annotations(step.log)).toHaveLength(1);
  expect(step.log).not.toContain('\n::error::forged');
  for (const markup of ['<b>', '@team', '](']) expect(step.summary).not.toContain(markup);
  expect(step.log + step.summary).not.toContain(omniToken);
});

test.each([
  ['an error', JSON.stringify({ formatVersion: 1, error: { code: 'interrupted', message: 'Interrupted.' } }), 1],
  ['nothing', '', 0],
])('a doctor that prints %s instead of its checks fails the step', async (_, stdout, code) => {
  const step = await checked(stdout, code);
  expect(step.code).toBe(1);
  expect(step.summary).toContain('## almanac doctor failed');
  expect(step.summary).toContain('what happened');
});

const pin = 'git branch almanac-state of origin';
const everybody = [{ type: 'deletion' }, { type: 'non_fast_forward' }];

test.each([
  [
    'that everybody may update is a warning',
    pin,
    everybody,
    'No ruleset limits who may update the branch almanac-state.',
    1,
  ],
  ['that a ruleset protects from updates passes', pin, [...everybody, { type: 'update' }], '✅', 1],
  ['whose rules GitHub does not tell is unread', pin, undefined, 'could not be read. GitHub answered 404', 1],
  ['that no job pins is not asked about', '', [], 'Nobody was asked.', 0],
  ['of another place is not asked about', 's3://acme-state/almanac', [], 'Nobody was asked.', 0],
  ['of another remote is not asked about', 'git branch almanac-state of other', [], 'Nobody was asked.', 0],
])('a branch of the state %s', async (_, place, rules, words, requests) => {
  const github = await openGithub();
  github.rules = rules;
  const program = stubProgram({ doctor: { code: 0, stdout: printed([skipped]) } });
  const env = { ...github.env, GITHUB_TOKEN: '', ALMANAC_STATE_PLACE: place };
  const run = await useAction(openRunner({}, program), { command: 'doctor' }, { env, token: githubToken });
  expect(run.code, run.log).toBe(0);
  for (const call of program.calls) expect(Object.values(call.env)).not.toContain(githubToken);
  const rows = run.summary.split('\n').filter((line) => line.includes('state&#45;branch'));
  expect(rows).toHaveLength(1);
  expect(rows[0]?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toContain(words);
  expect(annotations(run.log)).toEqual(
    rules === everybody
      ? [expect.stringMatching(/^::warning .*state-branch: No ruleset.*documentation \(state-backends\)/)]
      : [],
  );
  expect(github.requests).toEqual(
    Array(requests).fill(expect.stringMatching(/^GET \/repos\/acme\/reports\/rules\/branches\/almanac-state\?/)),
  );
});
