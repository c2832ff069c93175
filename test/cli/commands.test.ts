// Every command on a valid workspace: what it prints, sends and writes.

import { describe, expect, it } from 'vitest';
import { openBare } from '../support/cli/open-stage.ts';
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
});

describe('the state', () => {
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
});
