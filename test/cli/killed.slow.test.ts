// The built program, killed at the first and last effect of each kind. Nothing exists twice, nothing is lost, and what
// is in doubt is named. What happens at other effects, the histories of `property/killed-worlds` show.

import '../support/runs/cheap-fingerprints.ts';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { firstAndLast, runKillable } from '../support/cli/killable-program.ts';
import { makeInstantClock } from '../support/fake-clock.ts';
import { mustSucceed, resolveByHand, unaccounted } from '../support/resolve-by-hand.ts';
import { startS3Double } from '../support/state/s3-double.ts';
import { hook } from '../support/vocabulary.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const before = {
  changed: hook({ name: 'Changed' }),
  gone: hook({ name: 'Gone' }),
  replaced: hook({ name: 'Replaced' }),
  'to-pause': hook({ name: 'To pause' }),
  'to-resume': hook({ name: 'To resume', paused: true }),
};
const moved = { url: 'https://hooks.example.com/new' };
const after = {
  changed: hook({ name: 'Changed', ...moved }),
  new: hook({ name: 'New' }),
  'new-and-paused': hook({ name: 'New and paused', paused: true }),
  replaced: hook({ name: 'Replaced', ...moved }),
  'to-pause': hook({ name: 'To pause', paused: true }),
  'to-resume': hook({ name: 'To resume' }),
};

function openStage(options: WorldOptions): Promise<World> {
  return openWorld({}, { outside: { clock: makeInstantClock(Date.now()) }, now: Date.now, ...options });
}

/** The workspace of the repository, with a state in a file. A job stays queued however long this takes, which identifies it. */
async function openDemo(): Promise<World> {
  const environment = { SFTP_PASSWORD: 'of-the-test' };
  const stage = await openStage({ operations: 'core', config: null, environment, jobDurationMs: 3_600_000 });
  cpSync('schedules', join(stage.path, 'schedules'), { recursive: true });
  cpSync('almanac.yaml', join(stage.path, 'almanac.yaml'));
  return stage;
}

/** `before` was applied and `after` is declared, with the state of a team. */
async function openTeam(): Promise<World> {
  const { bucket, endpoint, keys, close } = await startS3Double();
  onTestFinished(close);
  const state = { backend: 's3', bucket, prefix: 'almanac', endpoint };
  const stage = await openStage({ operations: 'full', config: { state }, environment: keys });
  stage.declare(before);
  await stage.apply();
  stage.declare(after);
  return stage;
}

/** By name, what runs and what is paused; an orphan is left out. */
function standing({ emulator }: World, { orphans }: State): readonly string[] {
  const left = new Set(orphans.map(({ id }) => id));
  const { schedules, jobs } = emulator.data();
  return [
    ...schedules
      .filter(({ id }) => !left.has(id))
      .map(
        ({ fields, disabledAt }) => `${fields['name']} ${fields['url']}${disabledAt === undefined ? '' : ' paused'}`,
      ),
    ...jobs.map(({ fields }) => `job ${fields['prompt']}`),
  ].sort();
}

const stateOf = async (stage: World) => JSON.parse(mustSucceed(await stage.run('state', 'pull')).stdout) as State;

test.each<[string, () => Promise<World>, readonly string[], number]>([
  [
    'with operations core names what is in doubt, and the next one converges after it was resolved',
    openDemo,
    ['--allow', 'orphans'],
    0,
  ],
  [
    'with operations full and the state of a team is recovered from by the next one',
    openTeam,
    ['--replace', 'schedules.replaced'],
    4,
  ],
])('an apply that is killed at any effect %s', { timeout: 600_000 }, async (_, open, options, recoveries) => {
  const argv = ['apply', '--auto-approve', ...options];
  const reference = await open();
  const { code, stderr, points } = await runKillable(argv, reference);
  expect(code, stderr).toBe(0);
  expect(points.length).toBeGreaterThan(40);
  const expected = standing(reference, await stateOf(reference));

  let recovered = 0;
  const left = firstAndLast(points).values();
  const worker = async () => {
    for (const point of left) {
      const stage = await open();
      const killed = await runKillable(argv, stage, point);
      expect(killed.signal, `point ${point}: ${killed.stderr}`).toBe('SIGKILL');
      const again = await stage.run('apply', '--auto-approve', '--allow', 'orphans');
      if (recoveries > 0) mustSucceed(again);
      if (again.code !== 0) {
        expect(again.stderr, `point ${point}`).toContain('almanac state resolve');
        await resolveByHand(stage, stage.emulator);
        mustSucceed(await stage.run('apply', '--auto-approve', '--allow', 'orphans'));
      }
      if (/it was (not )?made|gone from Omni/.test(again.stderr)) recovered += 1;
      expect((await stage.run('plan')).stdout, `point ${point}`).toContain('No changes');
      const state = await stateOf(stage);
      expect(standing(stage, state), `point ${point}`).toEqual(expected);
      expect(unaccounted({ state: () => state }, stage.emulator), `point ${point}`).toEqual([]);
      if (recoveries > 0) expect(state.orphans, `point ${point}`).toEqual([]);
    }
  };
  await Promise.all([worker(), worker()]);
  // Of the team: the first and the last of three POSTs and the DELETE, before and after.
  expect(recovered).toBeGreaterThanOrEqual(recoveries);
});
