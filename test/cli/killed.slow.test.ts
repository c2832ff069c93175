// A process that SIGKILL ends at the first and at the last effect of each kind: nothing exists twice, nothing is lost, and
// what is in doubt is named. What happens at the others, the histories of `property/killed-worlds.test.ts` show.

import '../support/runs/cheap-fingerprints.ts';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/emulator.ts';
import type { EmulatorData } from '../../src/emulator/store.ts';
import type { State } from '../../src/model/plan/state.ts';
import { renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import { createdAndDied, madeId } from '../support/apply/memory-place.ts';
import { firstAndLast, runKillable } from '../support/cli/killable-program.ts';
import { daily } from '../support/cli/open-stage.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { schedule as plainSchedule, stateOf } from '../support/plan/planning.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../support/resolve-by-hand.ts';
import { makeGitStage } from '../support/state/git-remote.ts';
import { openApplied as openRunning, openWorld, type World } from '../support/world.ts';

type Stage = World;

const applying = ['apply', '--auto-approve', '-q'];

/** What a command reaches that is not killed. */
async function pointsOf(argv: readonly string[], stage: Parameters<typeof runKillable>[1]): Promise<readonly string[]> {
  const { code, stderr, points } = await runKillable(argv, stage);
  expect(code, stderr).toBe(0);
  return points;
}

/** Kills a command at the first and last point of each kind, two at a time, and looks at what comes after it. */
async function killAtEach<T extends Parameters<typeof runKillable>[1]>(
  argv: readonly string[],
  points: readonly string[],
  open: () => Promise<T>,
  look: (stage: T, point: number) => Promise<void>,
): Promise<void> {
  const left = firstAndLast(points).values();
  const worker = async () => {
    for (const point of left) {
      const stage = await open();
      const killed = await runKillable(argv, stage, point);
      expect(killed.signal, `point ${point}: ${killed.stderr}`).toBe('SIGKILL');
      await look(stage, point);
    }
  };
  await Promise.all([worker(), worker()]);
}

async function openStage(options: EmulatorOptions): Promise<Stage> {
  const environment = { SFTP_PASSWORD: 'of-the-test' };
  const clock = makeInstantClock(Date.now());
  return openWorld(
    {},
    { operations: 'core', config: null, environment, outside: { clock }, now: Date.now, ...options },
  );
}

const names = ({ emulator }: Stage) =>
  emulator
    .data()
    .schedules.map(({ fields }) => fields['name'])
    .sort();

test('after an apply was killed at any effect, the next one names unresolved changes and converges', {
  timeout: 240_000,
}, async () => {
  const open = async () => {
    // A job stays queued however long this takes, which identifies it.
    const stage = await openStage({ jobDurationMs: 3_600_000 });
    cpSync('schedules', join(stage.path, 'schedules'), { recursive: true });
    cpSync('almanac.yaml', join(stage.path, 'almanac.yaml'));
    return stage;
  };
  const reference = await open();
  const points = await pointsOf([...applying, '--allow-orphans'], reference);
  expect(points.length).toBeGreaterThan(40);

  await killAtEach([...applying, '--allow-orphans'], points, open, async (stage, point) => {
    const again = await stage.run('apply', '--auto-approve', '--allow-orphans');
    if (again.code !== 0) {
      expect(again.stderr, `point ${point}`).toContain('almanac state resolve');
      await resolveByHand(stage, stage.emulator);
      mustSucceed(await stage.run('apply', '--auto-approve', '--allow-orphans'));
    }
    expect((await stage.run('plan')).stdout, `point ${point}`).toContain('No changes');
    expect(names(stage), `point ${point}`).toEqual(names(reference));
    expect(unaccounted(stage, stage.emulator), `point ${point}`).toEqual([]);
    const jobs = stage.emulator.data().jobs.map(({ fields }) => fields);
    const ours = jobs.filter(({ prompt, topicName }) => prompt !== undefined && topicName === 'order_items');
    expect(ours, `point ${point}`).toHaveLength(1);
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

async function openFullStage(data?: EmulatorData): Promise<Stage> {
  const stage = await openStage({ operations: 'full', data: structuredClone(data) });
  stage.write({ 'almanac.yaml': { api: { operations: 'full', rateLimit: 0 } } });
  return stage;
}

/** An organization with operations full, where `before` was applied and `after` is declared. */
async function openApplied({ data, state }: { data: EmulatorData; state: State }): Promise<Stage> {
  const stage = await openFullStage(data);
  const baseUrl = stage.environment['OMNI_BASE_URL'];
  stage.write({ 'almanac.state.json': { ...state, baseUrl }, 'schedules/all.yaml': { schedules: after } });
  return stage;
}

/** By name, what runs and what is paused; an orphan is left out. */
function standing({ emulator, state }: Stage): readonly string[] {
  const orphans = new Set(state().orphans.map(({ id }) => id));
  return emulator
    .data()
    .schedules.filter(({ id }) => !orphans.has(id))
    .map(({ fields, disabledAt }) => `${fields['name']} ${fields['url']}${disabledAt === undefined ? '' : ' paused'}`)
    .sort();
}

test('with operations full, the next apply recovers by itself wherever the previous one was killed', {
  timeout: 240_000,
}, async () => {
  const argv = [...applying, '--replace', 'schedules.replaced'];
  const first = await openFullStage();
  first.write({ 'schedules/all.yaml': { schedules: before } });
  await first.apply();
  const applied = { data: first.emulator.data(), state: first.state() };
  const open = () => openApplied(applied);
  const reference = await open();
  const points = await pointsOf(argv, reference);
  expect(points.length).toBeGreaterThan(40);
  expect(standing(reference)).toHaveLength(6);
  expect(reference.state().orphans).toEqual([]);

  let recovered = 0;
  await killAtEach(argv, points, open, async (stage, point) => {
    const again = await stage.run('apply', '--auto-approve');
    expect(again.code, `point ${point}: ${again.stdout}${again.stderr}`).toBe(0);
    if (/it was (not )?made|no longer in Omni/.test(again.stderr)) recovered += 1;
    expect((await stage.run('plan')).stdout, `point ${point}`).toContain('No changes');
    expect(standing(stage), `point ${point}`).toEqual(standing(reference));
    expect(unaccounted(stage, stage.emulator), `point ${point}`).toEqual([]);
    expect(stage.state().orphans, `point ${point}`).toEqual([]);
    expect(stage.emulator.data().schedules, `point ${point}`).toHaveLength(6);
  });
  // The first and the last of three POSTs and the DELETE, before and after.
  expect(recovered).toBeGreaterThanOrEqual(4);
});

test('wherever a trigger is killed, the delivery is never made twice, and a doubt is named', {
  timeout: 120_000,
}, async () => {
  const argv = ['trigger', 'schedules.a', '--auto-approve', '-q'];
  const open = async () => {
    const stage = await openRunning({ schedules: { a: { ...daily, name: 'A' } } });
    stage.sent();
    return stage;
  };
  const points = await pointsOf(argv, await open());
  expect(points).toHaveLength(10);
  const doubts: number[] = [];
  await killAtEach(argv, points, open, async (stage, point) => {
    const sent = stage.sent().length;
    expect((await stage.run('plan')).stdout, `point ${point}`).toContain('No changes');
    const again = await stage.run('trigger', '--auto-approve', 'schedules.a');
    const isOpen = stage.state().unresolved.length === 1;
    expect(again.code, `point ${point}: ${again.stdout}${again.stderr}`).toBe(isOpen ? 1 : 0);
    expect(stage.sent(), `point ${point}`).toHaveLength(isOpen ? 0 : 1);
    // Sent and not known to be: nothing may be sent again.
    if (sent === 1 && point < 7) expect(isOpen, `point ${point}`).toBe(true);
    if (isOpen) doubts.push(point);
  });
  // From the durable intent to the noted outcome.
  expect(doubts.length).toBeGreaterThanOrEqual(4);
});

/** A clone with a state and the journal of an apply that died, and a remote without a state. */
function openClone() {
  const stage = makeGitStage();
  onTestFinished(() => stage.remove());
  const path = stage.clone('clone');
  const { header, lines } = createdAndDied(stateOf({ 'schedules.weekly': plainSchedule() }));
  const entries = Object.entries(stage.environment).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const folder = { path, environment: Object.fromEntries(entries) as Record<string, string> };
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  write('almanac.state.json', renderState(stateOf({ 'schedules.weekly': plainSchedule() })));
  write('almanac.state.json.journal', [header, ...lines].map(renderJournalLine).join(''));
  const use = (backend: 'git' | 'local') => write('almanac.yaml', `state:\n  backend: ${backend}\n`);
  use('git');
  /** Whether the state in a place can be used, which then holds everything. */
  const isUsable = async (backend: 'git' | 'local'): Promise<boolean> => {
    use(backend);
    const { code, stdout, stderr } = await runKillable(['state', 'pull'], folder);
    use('git');
    if (code === 0) expect(stdout).toContain(madeId);
    else expect(stderr).toMatch(/error\[state-moved\]|There is no state yet/);
    return code === 0;
  };
  return { ...folder, isUsable };
}

test('a move of the state that is killed at any effect loses nothing, and is finished by the same command', {
  timeout: 300_000,
}, async () => {
  const argv = ['state', 'migrate', '--auto-approve'];
  const open = async () => openClone();
  const points = await pointsOf(argv, await open());
  expect(points.length).toBeGreaterThan(12);
  await killAtEach(argv, points, open, async (clone, point) => {
    const usable = [await clone.isUsable('local'), await clone.isUsable('git')];
    expect(usable, `point ${point}`).toContain(true);
    const again = await runKillable(argv, clone);
    if (usable[0]) expect(again, again.stderr).toMatchObject({ code: 0 });
    else expect(again.stderr).toContain('error[state-moved]');
    expect([await clone.isUsable('local'), await clone.isUsable('git')]).toEqual([false, true]);
  });
});
