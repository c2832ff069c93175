// An apply killed with SIGKILL at each of its effects in turn: nothing exists twice, nothing is lost, and unresolved
// changes are named.

import '../support/property/cheap-fingerprints.ts';
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { killableProgram, removeKillableProgram } from '../support/cli/killable-program.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../support/resolve-by-hand.ts';
import { openFolder, type Workspace, type WorkspaceFolder, workspaceIn } from '../support/workspace.ts';

let program: string;
beforeAll(async () => {
  program = await killableProgram();
});
afterAll(removeKillableProgram);

interface Stage {
  readonly emulator: Emulator;
  readonly folder: WorkspaceFolder;
  readonly environment: Readonly<Record<string, string>>;
  readonly workspace: Workspace;
  end(): Promise<void>;
}

interface Killed {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** At point 0 it is not killed. */
function applyKilledAt(point: number, { folder, environment }: Stage, ...flags: readonly string[]): Promise<Killed> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...environment, ...(point === 0 ? {} : { KILL_AT: String(point) }) };
    const argv = [program, 'apply', '--auto-approve', '-q', ...flags];
    const child = spawn(process.execPath, argv, { cwd: folder.path, env });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });
}

/** How many points a whole apply has. */
function pointsOf({ code, stderr }: Killed): number {
  expect(code, stderr).toBe(0);
  return Number(/points: (\d+)/.exec(stderr)?.[1]);
}

/** Two processes at a time. */
async function atEachPoint(points: number, act: (point: number) => Promise<void>): Promise<void> {
  const left = Array.from({ length: points }, (_, index) => index + 1).values();
  const worker = async () => {
    for (const point of left) await act(point);
  };
  await Promise.all([worker(), worker()]);
}

async function openStage(): Promise<Stage> {
  // A job stays queued however long this takes, which identifies it.
  const emulator = createEmulator({ rateLimit: 0, jobDurationMs: 3_600_000 });
  const { baseUrl, organizationKey } = await emulator.listen();
  const folder = openFolder();
  cpSync('schedules', join(folder.path, 'schedules'), { recursive: true });
  cpSync('almanac.yaml', join(folder.path, 'almanac.yaml'));
  const environment = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey, SFTP_PASSWORD: 'of-the-test' };
  const workspace = workspaceIn(folder, environment);
  return {
    emulator,
    folder,
    environment,
    workspace,
    end: async () => {
      folder.remove();
      await emulator.close();
    },
  };
}

test('after a run was killed at any effect, the next run names unresolved changes and converges', {
  timeout: 240_000,
}, async () => {
  const reference = await openStage();
  const points = pointsOf(await applyKilledAt(0, reference, '--allow-orphans'));
  const expected = reference.emulator
    .data()
    .schedules.map(({ fields }) => fields['name'])
    .sort();
  await reference.end();
  expect(points).toBeGreaterThan(40);

  await atEachPoint(points, async (point) => {
    const stage = await openStage();
    const { emulator, workspace, end } = stage;
    const killed = await applyKilledAt(point, stage, '--allow-orphans');
    expect(killed.signal, `point ${point}: ${killed.stderr}`).toBe('SIGKILL');

    const again = await workspace.run('apply', '--auto-approve', '--allow-orphans');
    if (again.code !== 0) {
      expect(again.stderr, `point ${point}`).toContain('almanac state resolve');
      await resolveByHand(workspace, emulator);
      mustSucceed(await workspace.run('apply', '--auto-approve', '--allow-orphans'));
    }
    expect((await workspace.run('plan')).stdout, `point ${point}`).toContain('No changes');
    expect(
      emulator
        .data()
        .schedules.map(({ fields }) => fields['name'])
        .sort(),
      `point ${point}`,
    ).toEqual(expected);
    expect(unaccounted(workspace, emulator), `point ${point}`).toEqual([]);
    expect(
      emulator
        .data()
        .jobs.filter(({ fields }) => fields['prompt'] !== undefined && fields['topicName'] === 'order_items').length,
      `point ${point}`,
    ).toBe(1);
    await end();
  });
});

const schedule = (name: string, fields: object = {}) => ({
  identifier: '12db1a0a',
  name,
  schedule: '0 9 ? * MON *',
  timezone: 'Europe/London',
  format: 'json',
  destinationType: 'webhook',
  url: 'https://hooks.example.com/in',
  ...fields,
});
const before = {
  changed: schedule('Changed'),
  gone: schedule('Gone'),
  replaced: schedule('Replaced'),
  'to-pause': schedule('To pause'),
  'to-resume': schedule('To resume', { paused: true }),
};
const after = {
  changed: schedule('Changed', { url: 'https://hooks.example.com/new' }),
  new: schedule('New'),
  'new-and-paused': schedule('New and paused', { paused: true }),
  replaced: schedule('Replaced', { url: 'https://hooks.example.com/new' }),
  'to-pause': schedule('To pause', { paused: true }),
  'to-resume': schedule('To resume'),
};

/** An organization with operations full, where `before` was applied and `after` is declared. */
async function openFullStage(): Promise<Stage> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full' });
  const { baseUrl, organizationKey } = await emulator.listen();
  const folder = openFolder();
  const environment = { OMNI_API_TOKEN: organizationKey };
  const clock = makeInstantClock(Date.now());
  const workspace = workspaceIn(folder, environment, { clock });
  const stage = {
    emulator,
    folder,
    environment,
    workspace,
    end: async () => {
      folder.remove();
      await emulator.close();
    },
  };
  folder.write({
    'almanac.yaml': { api: { baseUrl, operations: 'full', rateLimit: 0 } },
    'schedules/all.yaml': { schedules: before },
  });
  mustSucceed(await workspace.run('apply', '--auto-approve'));
  folder.write({ 'schedules/all.yaml': { schedules: after } });
  return stage;
}

/** By name, what runs and what is paused; an orphan is left out. */
function standing({ emulator, workspace }: Stage): readonly string[] {
  const orphans = new Set(workspace.state().orphans.map(({ id }) => id));
  return emulator
    .data()
    .schedules.filter(({ id }) => !orphans.has(id))
    .map(({ fields, disabledAt }) => `${fields['name']} ${fields['url']}${disabledAt === undefined ? '' : ' paused'}`)
    .sort();
}

test('with operations full, the next apply recovers by itself wherever the previous one was killed', {
  timeout: 240_000,
}, async () => {
  const flags = ['--replace', 'schedules.replaced'];
  const reference = await openFullStage();
  const points = pointsOf(await applyKilledAt(0, reference, ...flags));
  const expected = standing(reference);
  expect(expected).toHaveLength(6);
  expect(reference.workspace.state().orphans).toEqual([]);
  await reference.end();
  expect(points).toBeGreaterThan(50);

  let recovered = 0;
  await atEachPoint(points, async (point) => {
    const stage = await openFullStage();
    const { workspace, emulator, end } = stage;
    const killed = await applyKilledAt(point, stage, ...flags);
    expect(killed.signal, `point ${point}: ${killed.stderr}`).toBe('SIGKILL');

    const again = await workspace.run('apply', '--auto-approve');
    expect(again.code, `point ${point}: ${again.stdout}${again.stderr}`).toBe(0);
    if (/it was (not )?made|no longer in Omni/.test(again.stderr)) recovered += 1;
    expect((await workspace.run('plan')).stdout, `point ${point}`).toContain('No changes');
    expect(standing(stage), `point ${point}`).toEqual(expected);
    expect(unaccounted(workspace, emulator), `point ${point}`).toEqual([]);
    expect(workspace.state().orphans, `point ${point}`).toEqual([]);
    expect(emulator.data().schedules, `point ${point}`).toHaveLength(expected.length);
    await end();
  });
  // Each of three POSTs and a DELETE, killed before and after.
  expect(recovered).toBeGreaterThanOrEqual(8);
});
