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

  it('validate fails on errors, and with --strict on warnings', async () => {
    const { run, write } = await openBare();
    write({ 'schedules/all.yaml': { schedules: { weekly: { ...weekly, schedule: '0 9 30 2 ? *' } } } });
    expect((await run('validate')).code).toBe(0);
    const strict = await run('validate --strict --format json');
    expect(strict.code).toBe(1);
    expect(expectDocument('validate', strict.stdout)).toMatchObject({
      valid: false,
      diagnostics: [
        {
          severity: 'warning',
          code: 'cron-never-fires',
          file: 'schedules/all.yaml',
          path: '/schedules/weekly/schedule',
        },
      ],
    });
    write({ 'schedules/all.yaml': { schedules: { weekly: { ...weekly, fromat: 'pdf' } } } });
    const broken = await run('validate');
    expect(broken).toMatchObject({ code: 1, stderr: '' });
    expect(broken.stdout).toMatch(/^schedules\/all\.yaml:\d+:\d+: error\[unknown-field\]: /);
    expect(broken.stdout).toContain('Did you mean `format`?');
  });

  it('validate checks only the named files', async () => {
    const { run, write } = await openBare();
    write({ 'schedules/other.yaml': 'schedules: [' });
    expect((await run('validate schedules/all.yaml')).code).toBe(0);
    expect((await run('validate')).code).toBe(1);
    expect((await run('validate missing.yaml')).stdout).toContain('missing.yaml');
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

  it('a plan shows what changes, where, why, the counts and the digest', async () => {
    const { run } = await openBare();
    const { stdout, code } = await run('plan --detailed-exitcode');
    expect(code).toBe(2);
    for (const words of [
      'schedules.weekly will be created (schedules/all.yaml:',
      '+ schedule weekly',
      'at 09:00 on Monday',
      'Plan: 3 to create.',
      '3 requests.',
      'Digest ',
    ])
      expect(stdout).toContain(words);
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
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

  it('an apply reads allowOrphans from almanac.yaml', async () => {
    const { run, write } = await openBare();
    await run('apply --auto-approve -q');
    write({ 'almanac.yaml': { safety: { allowOrphans: true } }, 'schedules/all.yaml': { dashboards: { sales } } });
    expect((await run('apply --auto-approve')).code).toBe(0);
  });

  it('a plan and an apply with --target cover only the targets', async () => {
    const { run, state } = await openBare();
    expect((await run('plan --target schedules.weekly --format json')).stdout).not.toContain('schedules.hook');
    expect((await run('apply --auto-approve --target schedules.weekly dashboards.sales')).code).toBe(0);
    expect(Object.keys(state().resources)).toEqual(['dashboards.sales', 'schedules.weekly']);
    const misspelt = await run('plan --target schedules.wekly --format json');
    expect(misspelt.code).toBe(1);
    expect(expectDocument('error', misspelt.stdout)).toMatchObject({ diagnostics: [{ code: 'unknown-selector' }] });
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

  it('a request names the owner in the query', async () => {
    const userId = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';
    const { run, emulator } = await openBare({
      schedules: { weekly: { ...weekly, userId } },
    });
    await run('apply --auto-approve');
    expect(emulator.requests()).toMatchObject([{ query: { userId }, status: 200 }]);
    expect(emulator.requests()[0]?.body).not.toHaveProperty('userId');
    expect(emulator.data().schedules).toMatchObject([{ ownerId: userId }]);
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

  it('a saved plan is refused if the state or the declarations changed since', async () => {
    const { run, write, emulator } = await openBare();
    await run('plan --out old.plan -q');
    write({ 'schedules/all.yaml': { ...declared, aiJobs: {}, schedules: { weekly } } });
    const changed = await run('apply old.plan --auto-approve');
    expect(changed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('error[plan-stale]') });
    await run('apply --auto-approve -q');
    const sent = emulator.requests().length;
    const stale = await run('apply old.plan --auto-approve --format json');
    expect(stale.code).toBe(1);
    expect(expectDocument('error', stale.stdout)).toMatchObject({
      error: { code: 'plan-stale', message: expect.stringContaining('no state was') },
    });
    expect(emulator.requests()).toHaveLength(sent);
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

  it('a saved plan is applied under --expect only with that digest', async () => {
    const { run, emulator } = await openBare();
    const { digest } = JSON.parse((await run('plan --format json')).stdout) as { digest: string };
    expect(await run(`apply --auto-approve --expect ${'0'.repeat(64)}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('plan-stale'),
    });
    expect(emulator.requests()).toEqual([]);
    expect((await run(`apply --auto-approve --expect ${digest}`)).code).toBe(0);
  });
});

describe('the state', () => {
  it('the state is listed and shown as text and as JSON', async () => {
    const { run, state } = await openBare();
    await run('apply --auto-approve -q');
    const { id = '' } = state().resources['schedules.weekly'] ?? {};
    const list = await run('state list');
    expect(list.stdout.split('\n')).toEqual([
      expect.stringMatching(/^dashboards\.sales +- +12db1a0a +- +\S+Z +-$/),
      expect.stringMatching(/^schedules\.hook +[0-9a-f-]{36} +3f9c2b71 +webhook +\S+Z +Stock feed$/),
      expect.stringMatching(new RegExp(`^schedules\\.weekly  ${id} +12db1a0a +email +\\S+Z +Weekly sales$`)),
      '',
    ]);
    expect(JSON.parse((await run('state list --format json')).stdout)).toEqual({
      formatVersion: 1,
      resources: [
        expect.objectContaining({ address: 'dashboards.sales', kind: 'dashboard', identifier: '12db1a0a' }),
        expect.objectContaining({ address: 'schedules.hook', id: state().resources['schedules.hook']?.id }),
        expect.objectContaining({ address: 'schedules.weekly', id, name: 'Weekly sales', destinationType: 'email' }),
      ],
    });
    expect((await run('state show schedules.weekly')).stdout).toContain('Weekly sales');
    expect(JSON.parse((await run('state show schedules.weekly --format json')).stdout)).toMatchObject({
      id,
      attributes: weekly,
    });
    expect((await run('show')).stdout).toBe((await run('state show')).stdout);
    expect(JSON.parse((await run('show --format json')).stdout)).toMatchObject({
      serial: 1,
      resources: { 'schedules.weekly': { id } },
    });
  });

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
  it('next prints the coming runs', async () => {
    const { run } = await openBare();
    const { stdout } = await run('next schedules.weekly --count 2 --from 2026-03-20T00:00:00Z --format json');
    expect(expectDocument('next', stdout)).toEqual({
      formatVersion: 1,
      from: '2026-03-20T00:00:00.000Z',
      schedules: [
        {
          address: 'schedules.weekly',
          schedule: '0 9 ? * MON *',
          timezone: 'Europe/London',
          description: 'at 09:00 on Monday',
          // The clocks of London go forward in between.
          runs: [
            { at: '2026-03-23T09:00:00.000Z', local: '2026-03-23T09:00' },
            { at: '2026-03-30T08:00:00.000Z', local: '2026-03-30T09:00' },
          ],
        },
      ],
    });
    const text = await run('next --days 7 --from 2026-03-20');
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toContain('schedules.hook');
    expect(text.stdout).toContain('Deliveries an hour, UTC');
  });

  it('next prints a calendar', async () => {
    const { run } = await openBare();
    const { code, stdout, stderr } = await run('next --count 1 --from 2026-03-20 --format ics');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('DTSTART;TZID=Europe/London:20260323T090000\r\n');
    expect(stdout).toContain('SUMMARY:Weekly sales\r\n');
  });

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

  it('next --from excludes a run at the given time', async () => {
    const { run } = await openBare();
    const { stdout } = await run('next schedules.hook --count 1 --from 2026-03-20T06:30:00Z --format json');
    expect(JSON.parse(stdout)).toMatchObject({ schedules: [{ runs: [{ at: '2026-03-21T06:30:00.000Z' }] }] });
  });

  it('next --days includes a run at its first instant and excludes one at its end', async () => {
    const { run } = await openBare();
    const { stdout } = await run('next schedules.hook --days 2 --from 2026-03-20T06:30:00Z --format json');
    const runs = [{ at: '2026-03-20T06:30:00.000Z' }, { at: '2026-03-21T06:30:00.000Z' }];
    expect(JSON.parse(stdout)).toMatchObject({ schedules: [{ runs }] });
  });

  it('next refuses anything but a schedule, and invalid times and numbers', async () => {
    const { run } = await openBare();
    expect(await run('next dashboards.sales')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('dashboards.sales'),
    });
    for (const option of ['--from yesterday', '--from 2026-03-20T06:30', '--count 0', '--days x'])
      expect(await run(`next ${option}`)).toMatchObject({ code: 1, stdout: '' });
  });
});
