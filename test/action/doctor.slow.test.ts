// The action before an apply, with a stub of almanac: what it shows of the checks, and when it stops the job.

import { describe, expect, test } from 'vitest';
import { useAction } from '../support/action/composite.ts';
import { openGithub } from '../support/action/fake-github.ts';
import { githubToken, omniToken, openRunner, stubProgram } from '../support/action/fake-runner.ts';

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

describe('who may write the branch of the state', () => {
  const unasked = { name: 'state-branch', status: 'skipped', message: 'Nobody was asked.' };
  const pin = 'git branch almanac-state of origin';

  async function asked(rules: readonly { readonly type: string }[] | undefined, place = pin) {
    const [runner, github] = [openRunner(), await openGithub()];
    github.rules = rules;
    const stdout = JSON.stringify({ formatVersion: 1, ok: true, checks: [unasked] });
    const program = stubProgram(runner, { doctor: { code: 0, stdout } });
    const env = { ...github.env, GITHUB_TOKEN: '', ALMANAC_STATE_PLACE: place };
    const run = await useAction(runner, { command: 'doctor' }, { env, token: githubToken });
    expect(run.code, run.log).toBe(0);
    for (const call of program.calls()) expect(Object.values(call.env)).not.toContain(githubToken);
    const rows = run.summary.split('\n').filter((line) => line.includes('state&#45;branch'));
    expect(rows).toHaveLength(1);
    const row = (rows[0] ?? '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    return { row, warnings: annotations(run.log), requests: github.requests };
  }

  test('a branch that everybody may update is a warning with the page that says what to do, after one request', async () => {
    const { row, warnings, requests } = await asked([{ type: 'deletion' }, { type: 'non_fast_forward' }]);
    expect(row).toContain('No ruleset limits who may update the branch almanac-state.');
    expect(warnings).toEqual([expect.stringContaining('::warning title=Almanac::state-branch: No ruleset limits')]);
    expect(warnings[0]).toContain('docs/state-backends.md');
    expect(requests).toEqual([expect.stringMatching(/^GET \/repos\/acme\/reports\/rules\/branches\/almanac-state\?/)]);
  });

  test('a branch that a ruleset protects from updates passes the check', async () => {
    const { row, warnings } = await asked([{ type: 'deletion' }, { type: 'update' }]);
    expect(row).toContain('✅');
    expect(warnings).toEqual([]);
  });

  test('rules that GitHub does not tell are said to be unread, and fail nothing', async () => {
    const { row, warnings } = await asked(undefined);
    expect(row).toContain('➖');
    expect(row).toContain('could not be read. GitHub answered 404');
    expect(warnings).toEqual([]);
  });

  test.each(['', 's3://acme-state/almanac', 'git branch almanac-state of other'])(
    'GitHub is not asked about a state elsewhere: %j',
    async (place) => {
      const { row, requests } = await asked([], place);
      expect(row).toContain('Nobody was asked.');
      expect(requests).toEqual([]);
    },
  );
});
