// An apply killed at each of its effects in turn: nothing exists twice, nothing is lost, and unresolved changes are named.
// At the first and the last effect of each kind it is a process that SIGKILL ends; at the others it runs in the process of
// the test, and everything it does from there on fails.

import '../support/runs/cheap-fingerprints.ts';
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { EmulatorData } from '../../src/emulator/store.ts';
import { systemClock } from '../../src/files/system.ts';
import type { State } from '../../src/model/plan/state.ts';
import { connectHttpApi } from '../../src/service/http/http-api.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { killableProgram, removeKillableProgram } from '../support/cli/killable-program.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { withFaultPoints } from '../support/property/fault-points.ts';
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
    const env = { PATH: process.env['PATH'] ?? '', ...environment, KILL_AT: point === 0 ? undefined : String(point) };
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

/** Nothing of it happens after the point. */
async function applyDyingAt(point: number, { folder, environment }: Stage, ...flags: readonly string[]): Promise<void> {
  let count = 0;
  const reach = () => {
    count += 1;
    if (count >= point) throw new Error('killed');
  };
  const real: Pick<Outside, 'openState' | 'openSharedState' | 'connect'> = {
    openState: async (options) => openFileState(options),
    openSharedState: () => Promise.reject(new Error('no test needs it')),
    connect: (settings) => connectHttpApi({ ...settings, clock: systemClock, version: 'test', environment }),
  };
  const dying = workspaceIn(folder, environment, { clock: systemClock, ...withFaultPoints(real, reach) });
  expect((await dying.run('apply', '--auto-approve', '-q', ...flags)).code, `point ${point}`).not.toBe(0);
}

/** What is reached at the points of a whole apply. */
function pointsOf({ code, stderr }: Killed): readonly string[] {
  expect(code, stderr).toBe(0);
  return JSON.parse(/points: \d+ (.*)/.exec(stderr)?.[1] ?? '') as string[];
}

/** Kills an apply at each point, two at a time, and looks at what comes after it. */
async function killAtEach(
  points: readonly string[],
  flags: readonly string[],
  open: () => Promise<Stage>,
  look: (point: number, stage: Stage) => Promise<void>,
): Promise<void> {
  const left = points.entries();
  const worker = async () => {
    for (const [index, name] of left) {
      const stage = await open();
      const point = index + 1;
      if (points.indexOf(name) === index || points.lastIndexOf(name) === index) {
        const killed = await applyKilledAt(point, stage, ...flags);
        expect(killed.signal, `point ${point}: ${killed.stderr}`).toBe('SIGKILL');
      } else await applyDyingAt(point, stage, ...flags);
      await look(point, stage);
      await stage.end();
    }
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
  const flags = ['--allow-orphans'];
  const points = pointsOf(await applyKilledAt(0, reference, ...flags));
  const expected = reference.emulator
    .data()
    .schedules.map(({ fields }) => fields['name'])
    .sort();
  await reference.end();
  expect(points.length).toBeGreaterThan(40);

  await killAtEach(points, flags, openStage, async (point, { emulator, workspace }) => {
    const again = await workspace.run('apply', '--auto-approve', ...flags);
    if (again.code !== 0) {
      expect(again.stderr, `point ${point}`).toContain('almanac state resolve');
      await resolveByHand(workspace, emulator);
      mustSucceed(await workspace.run('apply', '--auto-approve', ...flags));
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

/** What an apply of `before` leaves in an organization and in a state. */
interface Applied {
  readonly data: EmulatorData;
  readonly state: State;
}

/** An organization with operations full, where `before` was applied and `after` is declared. */
async function openFullStage(applied: Applied): Promise<Stage> {
  const stage = await openEmptyStage(applied.data);
  const baseUrl = stage.environment['OMNI_BASE_URL'];
  stage.folder.write({
    'almanac.state.json': { ...applied.state, baseUrl },
    'schedules/all.yaml': { schedules: after },
  });
  return stage;
}

async function applyBefore(): Promise<Applied> {
  const { emulator, folder, workspace, end } = await openEmptyStage();
  folder.write({ 'schedules/all.yaml': { schedules: before } });
  mustSucceed(await workspace.run('apply', '--auto-approve'));
  const applied = { data: emulator.data(), state: folder.state() };
  await end();
  return applied;
}

async function openEmptyStage(data?: EmulatorData): Promise<Stage> {
  const emulator = createEmulator({ rateLimit: 0, operations: 'full', data: structuredClone(data) });
  const { baseUrl, organizationKey } = await emulator.listen();
  const folder = openFolder();
  folder.write({ 'almanac.yaml': { api: { operations: 'full', rateLimit: 0 } } });
  const environment = { OMNI_BASE_URL: baseUrl, OMNI_API_TOKEN: organizationKey };
  const workspace = workspaceIn(folder, environment, { clock: makeInstantClock(Date.now()) });
  const end = async () => {
    folder.remove();
    await emulator.close();
  };
  return { emulator, folder, environment, workspace, end };
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
  const applied = await applyBefore();
  const reference = await openFullStage(applied);
  const points = pointsOf(await applyKilledAt(0, reference, ...flags));
  const expected = standing(reference);
  expect(expected).toHaveLength(6);
  expect(reference.workspace.state().orphans).toEqual([]);
  await reference.end();
  expect(points.length).toBeGreaterThan(50);

  let recovered = 0;
  const open = () => openFullStage(applied);
  await killAtEach(points, flags, open, async (point, stage) => {
    const { workspace, emulator } = stage;
    const again = await workspace.run('apply', '--auto-approve');
    expect(again.code, `point ${point}: ${again.stdout}${again.stderr}`).toBe(0);
    if (/it was (not )?made|no longer in Omni/.test(again.stderr)) recovered += 1;
    expect((await workspace.run('plan')).stdout, `point ${point}`).toContain('No changes');
    expect(standing(stage), `point ${point}`).toEqual(expected);
    expect(unaccounted(workspace, emulator), `point ${point}`).toEqual([]);
    expect(workspace.state().orphans, `point ${point}`).toEqual([]);
    expect(emulator.data().schedules, `point ${point}`).toHaveLength(expected.length);
  });
  // Each of three POSTs and a DELETE, killed before and after.
  expect(recovered).toBeGreaterThanOrEqual(8);
});
