// Every command on a valid workspace: what it prints, sends and writes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { declared, openBare, sales, weekly } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';

describe('validate', () => {
  it('validate says how much it checked, in words and as one JSON document, and sends nothing', async () => {
    const { run, emulator } = await openBare();
    expect(await run('validate')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file'), stderr: '' });
    const json = await run('validate --format json');
    expect(expectDocument('validate', json.stdout)).toEqual({
      formatVersion: 1,
      valid: true,
      summary: { files: 1, resources: 3, errors: 0, warnings: 0, accepted: 0 },
      diagnostics: [],
    });
    expect(emulator.requests()).toEqual([]);
  });
});

describe('plan, apply and plan again', () => {
  it('an apply creates what is declared in one request each, and the next plan is empty', async () => {
    const { run, emulator, state, baseUrl } = await openBare();
    const planned = await run('plan --format json');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    const plan = expectDocument<{ digest: string; summary: object; changes: object[] }>('plan', planned.stdout);
    expect(plan).toMatchObject({ summary: { create: 3, noop: 0 }, state: { lineage: null, serial: 0 } });
    expect(plan.changes[0]).toMatchObject({
      address: 'dashboards.sales',
      action: 'create',
      file: 'schedules/all.yaml',
      requests: 1,
    });
    expect(emulator.requests()).toEqual([]);

    const applied = await run('apply --auto-approve --format json');
    expect(applied.code).toBe(0);
    expect(expectDocument('apply', applied.stdout)).toMatchObject({
      digest: plan.digest,
      summary: { applied: 3, failed: 0, skipped: 0, unknown: 0 },
    });
    const [expected, ...changes] = applied.stderr.trim().split('\n');
    expect(expected).toBe('3 requests.');
    expect(changes).toHaveLength(3);
    expect(emulator.requests().map(({ method, status, token }) => ({ method, status, token }))).toEqual([
      { method: 'PATCH', status: 200, token: 'organization' },
      { method: 'POST', status: 200, token: 'organization' },
      { method: 'POST', status: 200, token: 'organization' },
    ]);
    expectDocument('state', JSON.stringify(state()).concat('\n'));

    const nothing = `No changes. The declarations match the state.\nAt ${baseUrl}, operations core.\n`;
    expect(await run('plan --detailed-exitcode')).toMatchObject({
      code: 0,
      stdout: nothing,
    });
    expect(await run('apply --auto-approve')).toMatchObject({
      code: 0,
      stdout: nothing,
    });
    expect(emulator.requests()).toHaveLength(3);
  });

  it('an apply refuses to leave orphans, and lists them every time with --allow-orphans', async () => {
    const { run, write, state } = await openBare();
    await run('apply --auto-approve -q');
    const old = state().resources['schedules.weekly']?.id ?? '';
    write({ 'schedules/all.yaml': { schedules: { weekly: { ...weekly, subject: 'Sales' } }, dashboards: { sales } } });
    expect((await run('plan')).stdout).toMatch(/apply refuses this plan without\s+--allow-orphans/);
    const refused = await run('apply --auto-approve --format json');
    expect(refused).toMatchObject({ code: 1, stderr: '' });
    expect(expectDocument('error', refused.stdout)).toMatchObject({
      error: { code: 'blocked', message: expect.stringContaining(old) },
    });
    const applied = await run('apply --auto-approve --allow-orphans');
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining(`almanac state orphans --clear`) });
    expect((await run('plan')).stdout).toContain(old);
    expect(JSON.parse((await run('state orphans --format json')).stdout)).toEqual({
      formatVersion: 1,
      orphans: expect.arrayContaining([expect.objectContaining({ id: old, address: 'schedules.weekly' })]),
    });
    const cleared = await run(`state orphans --clear ${old} --format json`);
    expect(JSON.parse(cleared.stdout)).toEqual({
      formatVersion: 1,
      orphans: [expect.objectContaining({ address: 'schedules.hook' })],
    });
    expect((await run('plan')).stdout).not.toContain(old);
  });

  it('an apply explains how to let Omni write to a bucket', async () => {
    const { url: _, ...rest } = declared.schedules.hook;
    const roleArn = 'arn:aws:iam::123456789012:role/omni-reports';
    const s3 = { ...rest, destinationType: 's3', bucketName: 'acme-reports', region: 'eu-west-1', roleArn };
    const { run, emulator, state } = await openBare({ schedules: { s3 } });
    const { stdout } = await run('apply --auto-approve');
    const { delivererRoleArn, id } = emulator.data().organization;
    for (const words of [
      `let Omni assume ${roleArn}`,
      'sts:AssumeRole',
      `"AWS": "${delivererRoleArn}"`,
      `"sts:ExternalId": "${id}"`,
    ])
      expect(stdout).toContain(words);
    expect(state().resources['schedules.s3']?.outputs).toEqual({ delivererRoleArn, externalId: id });
    expect((await run('state show schedules.s3')).stdout).toContain(delivererRoleArn);
  });
});

describe('a saved plan', () => {
  it('a saved plan is shown and applied as it was reviewed', async () => {
    const { run, path, read } = await openBare();
    const saved = await run('plan --out first.plan');
    expect(saved).toMatchObject({ code: 0, stderr: 'Saved the plan to first.plan.\n' });
    expectDocument('plan', read('first.plan'));
    expect(await run('show first.plan')).toMatchObject({ code: 0, stdout: saved.stdout });
    expectDocument('plan', (await run('show first.plan --format json')).stdout);
    expect((await run('apply first.plan --auto-approve')).code).toBe(0);
    expect(existsSync(join(path, 'first.plan'))).toBe(true);
  });

  it('a saved plan accepts no options that would change it', async () => {
    const { run } = await openBare();
    await run('plan --out a.plan -q');
    for (const option of ['--target schedules.weekly', '--replace schedules.weekly', '--allow-empty']) {
      expect(await run(`apply a.plan --auto-approve ${option}`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(option.split(' ')[0] ?? ''),
      });
    }
  });

  it('a missing plan file, or a file that is not a plan, is refused with an explanation', async () => {
    const { run } = await openBare();
    expect(await run('apply missing.plan --auto-approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('missing.plan'),
    });
    expect(await run('show schedules/all.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[plan-unreadable]'),
    });
  });
});

describe('the state', () => {
  it('a state that does not exist yet is an empty list and shows nothing', async () => {
    const { run } = await openBare();
    expect(await run('state list')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await run('state list --format json')).stdout)).toEqual({ formatVersion: 1, resources: [] });
    expect(JSON.parse((await run('state orphans --format json')).stdout)).toEqual({ formatVersion: 1, orphans: [] });
    expect(await run('state show')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no state yet'),
    });
    expect(await run('state show schedules.weekly --format json')).toMatchObject({ code: 1, stderr: '' });
    expect(await run('state pull')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no state yet'),
    });
  });

  it('the state contains nothing under names that every object inherits', async () => {
    const { run } = await openBare();
    await run('apply --auto-approve -q');
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(await run(`state show ${name}`)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`The state holds no ${name}`),
      });
      expect((await run(`state rm ${name}`)).code).toBe(1);
    }
  });

  it('the state is shown even if the declarations have errors', async () => {
    const { run, write } = await openBare();
    await run('apply --auto-approve -q');
    write({ 'schedules/all.yaml': 'schedules: [' });
    expect((await run('state list')).code).toBe(0);
    expect((await run('state show schedules.weekly')).code).toBe(0);
    expect((await run('state show schedules.x')).stderr).toContain('The state holds no schedules.x');
  });
});

describe('next', () => {
  it('next says that a calendar without runs is empty', async () => {
    const { run } = await openBare();
    const { code, stdout, stderr } = await run('next schedules.weekly --days 1 --from 2026-03-20 --format ics');
    expect(code).toBe(0);
    expect(stdout).not.toContain('VEVENT');
    expect(stderr).toContain('the calendar is empty');
  });

  it('next warns of minutes with many deliveries, on stderr if stdout is a document', async () => {
    const { run } = await openBare();
    const words = '1 delivery in one minute, Mon 2026-03-23 09:00 UTC: schedules.weekly.';
    const argv = 'next schedules.weekly --count 1 --from 2026-03-20 --max-per-minute 0';
    expect((await run(argv)).stdout).toContain(words);
    const { stdout, stderr } = await run(`${argv} --format json`);
    expectDocument('next', stdout);
    expect(stderr).toBe(`${words}\n`);
  });
});
