// AI jobs that were started: watched by apply --wait, inspected and cancelled by ids from the state.

import { describe, expect, it } from 'vitest';
import type { ApplyDocument } from '../../src/model/plan/apply-outcome.ts';
import { expectDocument } from '../support/schemas.ts';
import { inBrief, openWorld, type WorldOptions } from '../support/world.ts';

const modelId = '770e8400-e29b-41d4-a716-446655440002';
const sales = { modelId, prompt: 'How are sales?' };
const failing = { modelId, prompt: 'Fail. [emulator: fail]' };

/** Jobs take ten seconds. */
const stage = async (aiJobs: object = { sales }, options: WorldOptions = {}) => {
  const world = await openWorld({ aiJobs }, { jobDurationMs: 10_000, ...options });
  return { ...world, sent: () => inBrief(world.asked()) };
};

describe('apply --wait', () => {
  it('apply --wait checks the job every two to five seconds and prints its progress and its answer', async () => {
    const { sent, slept, ...workspace } = await stage();
    const ran = await workspace.run('apply', '--auto-approve', '--wait');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('aiJobs.sales is COMPLETE:');
    expect(ran.stdout).toContain('1. Europe: 678994');
    expect(ran.stderr).toContain('Following the AI job');
    expect(ran.stderr.match(/EXECUTING: .*/g)).toEqual([
      'EXECUTING: Looking for fields that answer the question',
      'EXECUTING: A query returned 2 rows',
    ]);
    expect(ran.stderr).toContain('> aiJobs.sales COMPLETE');
    expect(slept).toEqual([2000, 3000, 4000, 5000]);
    expect(sent()).toEqual(['POST /ai/jobs', ...Array(4).fill('GET /ai/jobs/ID')]);
    expect((await workspace.plan()).changes).toEqual([]);
  });

  it('the word after --wait is a saved plan, and no number of seconds', async () => {
    const workspace = await stage();
    await workspace.run('plan', '--out', 'almanac.plan.json');
    const ran = await workspace.run('apply', '--auto-approve', '--wait', 'almanac.plan.json');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('aiJobs.sales is COMPLETE:');
    for (const [argv, words] of [
      [['--wait', '60'], '60'],
      [['--wait='], 'It must be a whole number from 1.'],
    ] as const)
      expect((await workspace.run('apply', '--auto-approve', ...argv)).stderr).toContain(words);
  });

  it('apply --wait exits with 1 if a job failed and gives the reason', async () => {
    const workspace = await stage({ failing, sales });
    const ran = await workspace.run('apply', '--auto-approve', '--wait');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('aiJobs.failing is FAILED:\n  No query could be made of the prompt');
    expect(ran.stdout).toContain('`almanac state rm aiJobs.failing`');
    expect(ran.stdout).not.toContain('state rm aiJobs.sales');
    expect(ran.stdout).toContain('aiJobs.sales is COMPLETE:');
    expect(ran.stdout).toContain('Applied 2 changes.');
  });

  it('apply --wait is wrong usage with operations core, and is refused before any request', async () => {
    const { sent, ...workspace } = await stage({ sales }, { api: { operations: 'core' } });
    const ran = await workspace.run('apply', '--auto-approve', '--wait');
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('operations core') });
    expect(sent()).toEqual([]);
    expect((await workspace.run('apply', '--auto-approve')).code).toBe(0);
  });

  it('apply --wait stops after the maximum time or an interruption, and the job continues', async () => {
    const slow = await stage({ sales }, { jobDurationMs: 1_000_000 });
    const ran = await slow.run('apply', '--auto-approve', '--wait=60');
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('did not end within 60 s');
    expect((await slow.run('ai', 'status', 'aiJobs.sales')).stdout).toContain('QUEUED');

    const interruption = new AbortController();
    const world = { signal: interruption.signal };
    const stopped = await stage({ sales }, { outside: world, jobDurationMs: 1e12 });
    const running = stopped.run('apply', '--auto-approve', '--wait=1000000000');
    await expect.poll(() => stopped.emulator.requests().length).toBeGreaterThan(3);
    interruption.abort();
    expect((await running).stdout).toContain('Interrupted before it ended; the job keeps running.');
    expect(Object.keys(stopped.state().resources)).toEqual(['aiJobs.sales']);
  });

  it('apply --wait reports a job that it cannot check and continues with the others', async () => {
    const workspace = await stage(
      { failing, sales },
      {
        faults: [
          { fault: '500', on: 'GET /v1/ai/jobs', at: 1 },
          { fault: 'garbage', on: 'GET /v1/ai/jobs', at: 2 },
        ],
      },
    );
    const ran = await workspace.run('apply', '--auto-approve', '--wait', '--format', 'json');
    expect(ran.code).toBe(1);
    const { results } = expectDocument<ApplyDocument>('apply', ran.stdout);
    const ends = results.map(({ job }) => job).sort((one) => (one?.state === null ? -1 : 1));
    expect(ends).toMatchObject([
      { state: null, error: { message: expect.stringContaining('cannot be read') } },
      { state: expect.stringMatching(/COMPLETE|FAILED/) },
    ]);
  });
});

describe('ai', () => {
  it('ai status shows the progress of a job', async () => {
    const { pass, ...workspace } = await stage();
    await workspace.apply();
    await pass(5000);
    const ran = await workspace.run('ai', 'status', 'aiJobs.sales');
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^aiJobs\.sales is EXECUTING \(id [0-9a-f-]{36}\)\n {2}A query returned 2 rows\n/);
    const answered = await workspace.run('ai', 'status', 'aiJobs.sales', '--format', 'json');
    expect(expectDocument('ai-job', answered.stdout)).toMatchObject({
      formatVersion: 1,
      address: 'aiJobs.sales',
      id: workspace.state().resources['aiJobs.sales']?.id,
      state: 'EXECUTING',
      progress: { iteration: 2, message: 'A query returned 2 rows' },
      omniChatUrl: expect.stringContaining('/chat/'),
    });
  });

  it('ai result shows the result of a complete job for fourteen days', async () => {
    const { pass, ...workspace } = await stage();
    await workspace.apply();
    const early = await workspace.run('ai', 'result', 'aiJobs.sales');
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('is QUEUED') });
    await pass(10_000);
    const ran = await workspace.run('ai', 'result', 'aiJobs.sales');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('1. Europe: 678994') });
    const answered = await workspace.run('ai', 'result', 'aiJobs.sales', '--format', 'json');
    expect(expectDocument('ai-job', answered.stdout)).toMatchObject({
      result: { actions: [{ result: { csvResult: expect.stringContaining('Region,Sales') } }] },
    });
    await pass(15 * 86_400_000);
    expect((await workspace.run('ai', 'result', 'aiJobs.sales')).stderr).toContain('14 days');
  });

  it('ai cancel ends a job, says what it could not undo, and can be repeated', async () => {
    const { pass, ...workspace } = await stage({ sales, other: sales });
    await workspace.apply();
    const cancel = (key: string) => workspace.run('ai', 'cancel', `aiJobs.${key}`);
    expect((await cancel('sales')).stdout).toContain('aiJobs.sales is cancelled.');
    expect((await cancel('sales')).stdout).toContain('aiJobs.sales is cancelled.');
    await pass(2000);
    expect((await cancel('other')).stdout).toContain('was asked to stop');
    await pass(10_000);
    expect((await workspace.run('ai', 'status', 'aiJobs.other')).stdout).toContain('CANCELLED');
  });

  it('ai cancel tries again while the job delivers, and says that it came too late', async () => {
    const { pass, ...workspace } = await stage();
    await workspace.apply();
    await pass(9500);
    expect(await workspace.run('ai', 'cancel', 'aiJobs.sales')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('had already ended as COMPLETE'),
      stderr: expect.stringContaining('delivers its result'),
    });
  });

  it.each([
    ['schedules.a', '`schedules.a` has not run.'],
    ['other', '`other` has not run.'],
    ['aiJobs.slaes', 'Did you mean `aiJobs.sales`?'],
  ])('ai status %s is refused: %s', async (address, words) => {
    const workspace = await stage();
    expect(await workspace.run('ai', 'status', address)).toMatchObject({ code: 1, stdout: '' });
    await workspace.apply();
    expect((await workspace.run('ai', 'status', address)).stderr).toContain(words);
  });

  it('the ai commands need operations full', async () => {
    const workspace = await stage({ sales }, { api: { operations: 'core' } });
    await workspace.apply();
    for (const action of ['status', 'result', 'cancel']) {
      const ran = await workspace.run('ai', action, 'aiJobs.sales');
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('operations: full') });
    }
  });
});

it('the answer of a job does not repeat a secret', async () => {
  const secret = 'wald3sel-4711';
  const secretive = { modelId, prompt: `Who is ${secret}?`, webhookSigningSecret: '${env.SIGNING}' };
  const workspace = await stage({ secretive }, { environment: { SIGNING: secret } });
  const outputs = [
    await workspace.run('apply', '--auto-approve', '--wait'),
    await workspace.run('ai', 'status', 'aiJobs.secretive'),
    await workspace.run('ai', 'result', 'aiJobs.secretive', '--format', 'json'),
  ];
  for (const { code, stdout } of outputs) {
    expect(code).toBe(0);
    expect(stdout).toContain('(sensitive)');
  }
  for (const { stdout } of outputs.slice(1)) expect(stdout).not.toContain(secret);
});
