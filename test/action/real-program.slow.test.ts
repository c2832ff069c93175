// The action with the built program and the emulator: plan, review, apply, plan again, and check for drift.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { openGithub } from '../support/action/fake-github.ts';
import { githubToken, openRunner } from '../support/action/fake-runner.ts';
import type { Action } from '../support/action/workflow-files.ts';
import { hook } from '../support/cli/open-stage.ts';
import { openFolder } from '../support/workspace.ts';

const program = resolve('dist/cli.cjs');

async function opened() {
  const runner = openRunner({}, { comesWith: program });
  for (const part of ['almanac.yaml', 'schedules']) cpSync(part, join(runner.path, part), { recursive: true });
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const env = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey, SFTP_PASSWORD: 'no-secret-at-all' };
  const offline = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: '' };
  return {
    runner,
    offline,
    organizationKey,
    step: (command: string, more = {}) => runner.run('run.mjs', { ...env, ALMANAC_COMMAND: command, ...more }),
  };
}

test('the action plans without a secret, applies the reviewed plan, and then has nothing to do', async () => {
  const { step, offline, runner, organizationKey } = await opened();
  const validated = await step('validate', offline);
  expect(validated.code, validated.log).toBe(0);
  const planned = await step('plan', offline);
  expect(planned.code, planned.log).toBe(0);
  expect(planned.outputs).toMatchObject({ changes: 'true', exitcode: '2' });
  expect(planned.summary).toContain('## Almanac plan: 9 to create');
  const comment = readFileSync(planned.outputs['comment-path'] ?? '', 'utf8');
  expect(comment).toContain('schedules.weekly-sales');
  expect(comment.length).toBeLessThan(65_000);

  const digest = planned.outputs['digest'] ?? '';
  const refused = await step('apply', { ALMANAC_EXPECT: '0'.repeat(64) });
  expect(refused.code).toBe(1);
  expect(refused.summary).toContain('what would be done is not what was reviewed');
  expect(existsSync(join(runner.path, 'almanac.state.json'))).toBe(false);

  const applied = await step('apply', { ALMANAC_EXPECT: digest });
  expect(applied.code, applied.log).toBe(0);
  expect(applied.outputs).toMatchObject({ changes: 'true', digest });
  expect(applied.summary).toContain('## Almanac apply: 10 applied');
  const again = await step('plan', { ...offline, ALMANAC_DETAILED_EXITCODE: 'true' });
  expect(again.code).toBe(0);
  expect(again.outputs).toMatchObject({ changes: 'false' });
  const twice = await step('apply', { ALMANAC_EXPECT: digest });
  expect(twice.code).toBe(0);
  expect(twice.summary).toContain('nothing to do');
  for (const { log, summary, outputs } of [validated, planned, refused, applied, again, twice])
    expect(log + summary + JSON.stringify(outputs)).not.toContain(organizationKey);
});

test('the action applies and detects drift', async () => {
  const { step, offline, runner } = await opened();
  const full = { ALMANAC_ENVIRONMENT: 'full' };
  const planned = await step('plan', { ...offline, ...full });
  const applied = await step('apply', { ...full, ALMANAC_EXPECT: planned.outputs['digest'] ?? '' });
  expect(applied.code, applied.log).toBe(0);
  expect(applied.outputs).toMatchObject({ digest: planned.outputs['digest'], changes: 'true' });
  const drift = { ...full, ALMANAC_DETAILED_EXITCODE: 'true' };
  const none = await step('drift', drift);
  expect(none.code, none.log).toBe(0);
  const { resources } = JSON.parse(runner.read('almanac.state.json')) as { resources: Record<string, { id: string }> };
  const url = `${offline.OMNI_BASE_URL}/v1/schedules/${resources['schedules.weekly-sales']?.id}/pause`;
  await fetch(url, { method: 'PUT', headers: { authorization: 'Bearer omni_osk_demo_organization_key' } });
  const seen = await step('drift', drift);
  expect(seen.code).toBe(2);
  expect(seen.summary).toContain('## Almanac drift: 1 resource');
  expect(seen.summary).toContain('schedules.weekly-sales');
});

test('the action keeps an issue about a schedule that nobody declared, until it is gone', async () => {
  const { step, offline, organizationKey, runner } = await opened();
  const github = await openGithub();
  const full = { ALMANAC_ENVIRONMENT: 'full' };
  const applied = await step('apply', full);
  expect(applied.code, applied.log).toBe(0);
  const check = async () => {
    const { code, log, outputs } = await step('drift', { ...full, ALMANAC_DETAILED_EXITCODE: 'true' });
    expect(code, log).toBe(0);
    const kept = await runner.run('issues/keep-issue.mjs', {
      ALMANAC_COMMAND: 'drift',
      ALMANAC_ENVIRONMENT: 'full',
      ALMANAC_REPORT_JSON: outputs['json-plan-path'] ?? '',
      ALMANAC_REPORT_MARKDOWN: outputs['markdown-plan-path'] ?? '',
      GITHUB_API_URL: github.url,
      GITHUB_TOKEN: githubToken,
    });
    expect(kept.code, kept.log).toBe(0);
    return outputs;
  };
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${offline.OMNI_BASE_URL}/v1/schedules${path}`, {
      method,
      headers: { authorization: `Bearer ${organizationKey}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    return (await answer.json()) as { id: string };
  };
  expect(await check()).toMatchObject({ changes: 'false' });
  expect(github.issues).toEqual([]);
  const { id } = await ask('POST', '', { ...hook, name: 'Made by @hand' });
  expect(await check()).toMatchObject({ changes: 'false' });
  expect(github.issues).toMatchObject([{ state: 'open' }]);
  expect(github.issues?.[0]?.body).toContain('| `Made by @hand` | `3f9c2b71`');
  expect(github.issues?.[0]?.body).toContain('almanac import --env full --identifier 3f9c2b71');
  await ask('DELETE', `/${id}`);
  await check();
  expect(github.issues).toMatchObject([{ state: 'closed', body: expect.stringContaining('## Almanac drift: none') }]);
});

test('the emulator of a job runs when its step ends, and the job knows its address', async () => {
  const folder = openFolder();
  onTestFinished(() => folder.remove());
  folder.write({ env: '', 'bin/.keep': '' });
  symlinkSync(program, join(folder.path, 'bin/almanac'));
  const action = parse(readFileSync('.github/actions/from-source/action.yml', 'utf8')) as Action;
  const script = action.runs.steps.at(-1)?.run?.replace('--port 4010', '--port 0') ?? '';
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: `${folder.path}/bin:${process.env['PATH']}`,
      RUNNER_TEMP: folder.path,
      GITHUB_ENV: join(folder.path, 'env'),
      OPERATIONS: 'full',
    },
  });
  onTestFinished(() => void (shell.pid !== undefined && process.kill(-shell.pid)));
  const [code] = await once(shell, 'exit');
  expect(code).toBe(0);
  const known = Object.fromEntries(
    folder
      .read('env')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  const headers = { authorization: `Bearer ${known.OMNI_API_TOKEN}` };
  expect((await fetch(`${known.OMNI_BASE_URL}/v1/schedules`, { headers })).status).toBe(200);
});

test('the action says what an apply lacks before it sends anything, and stops there', async () => {
  const { step, organizationKey } = await opened();
  const ready = await step('doctor');
  expect(ready.code, ready.log).toBe(0);
  const missing = await step('doctor', { SFTP_PASSWORD: '' });
  expect(missing.code).toBe(1);
  expect(missing.log).toContain('::error title=Almanac::secrets: Not set, or empty: SFTP_PASSWORD (1 resource).');
  expect(missing.summary).toContain('## Almanac doctor: 1 check failed');
  expect(missing.log + missing.summary).not.toContain(organizationKey);
});
