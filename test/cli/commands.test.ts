// Every command on a valid workspace: what it prints, sends and writes.

import { describe, expect, it } from 'vitest';
import { openBare, sales } from '../support/cli/open-stage.ts';
import { expectDocument } from '../support/schemas.ts';

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

  it('what an apply with --allow-orphans leaves is listed as JSON, until it is cleared', async () => {
    const { run, write, state } = await openBare();
    await run('apply --auto-approve -q');
    const old = state().resources['schedules.weekly']?.id ?? '';
    write({ 'schedules/all.yaml': { dashboards: { sales } } });
    expect((await run('apply --auto-approve --allow-orphans')).code).toBe(0);
    expect(JSON.parse((await run('state orphans --format json')).stdout)).toEqual({
      formatVersion: 1,
      orphans: expect.arrayContaining([expect.objectContaining({ id: old, address: 'schedules.weekly' })]),
    });
    expect(JSON.parse((await run(`state orphans --clear ${old} --format json`)).stdout)).toEqual({
      formatVersion: 1,
      orphans: [expect.objectContaining({ address: 'schedules.hook' })],
    });
  });
});

describe('a saved plan', () => {
  it('a saved plan is shown as it was made, and accepts no options that would change it', async () => {
    const { run } = await openBare();
    const saved = await run('plan --out a.plan');
    expect(saved).toMatchObject({ code: 0, stderr: 'Saved the plan to a.plan.\n' });
    expect(await run('show a.plan')).toMatchObject({ code: 0, stdout: saved.stdout });
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
        stderr: expect.stringContaining(`\`${name}\` is not in the state.`),
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
    expect((await run('state show schedules.x')).stderr).toContain('`schedules.x` is not in the state.');
  });
});
