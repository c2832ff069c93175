// `almanac fmt --prune`: entries of moved, adopt and removed are removed once they are finished in every environment.

import { expect, it } from 'vitest';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const id = '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7';
const other = '641055e2-00cf-46fe-b243-f2cb84a0cf53';
const source = `# Reports of the sales team
adopt:
  - { to: schedules.weekly, id: ${id} } # from the import
moved:
  - { from: schedules.old, to: schedules.weekly }
removed:
  - { from: schedules.gone, keep: true }
schedules:
  # every Monday
  weekly: ${JSON.stringify(schedule())}
`;
const pruned = /^# Reports of the sales team\nschedules:\n {2}# every Monday\n {2}weekly:/;
const almanac = {
  environments: { staging: { state: { path: 'staging.json' } }, live: { state: { path: 'live.json' } } },
};
const tracked = (tracks: string) =>
  JSON.stringify(stateOf({ 'schedules.weekly': { id: tracks, attributes: schedule() } }));
const open = (files: Readonly<Record<string, unknown>>) =>
  workspaceIn(makeFolder({ 'schedules/a.yaml': source, ...files }), {});

it('fmt --prune removes finished entries, also when the schedule has another id now, and keeps comments', async () => {
  const workspace = open({ 'almanac.state.json': tracked(other) });
  const ran = await workspace.run('fmt', '--prune');
  expect(ran).toMatchObject({ code: 0, stdout: 'schedules/a.yaml\n' });
  expect(ran.stderr).toContain('Removed 3 finished entries.');
  expect(workspace.read('schedules/a.yaml')).toMatch(pruned);
  expect(await workspace.run('fmt', '--prune')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No entry is finished.'),
  });
});

it('fmt --check --prune writes nothing and exits with 1 if an entry is finished', async () => {
  const workspace = open({ 'almanac.state.json': tracked(id) });
  expect(await workspace.run('fmt', '--check', '--prune')).toMatchObject({
    code: 1,
    stdout: 'schedules/a.yaml\n',
    stderr: expect.stringContaining(
      '1 of 1 file would change: run almanac fmt --prune. 3 finished entries would be removed.',
    ),
  });
  expect(workspace.read('schedules/a.yaml')).toBe(source);
});

it('fmt --prune keeps an entry that is not finished in one of the environments', async () => {
  const files = { 'almanac.yaml': almanac, 'staging.json': tracked(id) };
  const workspace = open({ ...files, 'live.json': JSON.stringify(stateOf({})) });
  const ran = await workspace.run('fmt', '--prune');
  expect(ran.stderr).toContain('Removed 1 finished entry. 2 entries have not taken effect in the environment live.\n');
  expect(workspace.read('schedules/a.yaml')).toContain(id);
  workspace.write({ 'live.json': tracked(id) });
  await workspace.run('fmt', '--prune');
  expect(workspace.read('schedules/a.yaml')).toMatch(pruned);
});

it('fmt --prune keeps every entry while an environment was never applied, and says so', async () => {
  const workspace = open({ 'almanac.yaml': almanac, 'staging.json': tracked(id) });
  const { stderr } = await workspace.run('fmt', '--prune');
  expect(stderr).toContain(
    'No entry is finished. 3 entries have not taken effect in the environment live, to which nothing was applied yet.\n',
  );
  expect(workspace.read('schedules/a.yaml')).toContain(id);
});

it('fmt --prune removes nothing if a state cannot be read, and says which', async () => {
  const workspace = open({ 'almanac.yaml': almanac, 'staging.json': tracked(id), 'live.json': '{' });
  const { code, stderr } = await workspace.run('fmt', '--prune');
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain('The state of the environment live cannot be read');
  expect(workspace.read('schedules/a.yaml')).toBe(source);
});

it.each([
  ['--env', 'live'],
  ['--state', 'live.json'],
])('fmt --prune refuses %s, which names one environment', async (option, value) => {
  const workspace = open({ 'almanac.yaml': almanac, 'staging.json': tracked(id), 'live.json': tracked(id) });
  const { code, stderr } = await workspace.run('fmt', '--prune', option, value);
  expect(code).toBe(1);
  expect(stderr).toContain('--prune looks at the state of every environment');
  expect(workspace.read('schedules/a.yaml')).toBe(source);
});

it('fmt --prune keeps an entry whose text something else refers to, says so, and removes the others', async () => {
  const workspace = open({ 'almanac.state.json': tracked(id) });
  const shared = `${source.replace('from: schedules.gone,', 'from: &gone schedules.gone,')}x-gone: *gone\n`;
  workspace.write({ 'schedules/a.yaml': shared });
  const { code, stderr } = await workspace.run('fmt', '--prune');
  expect([code, stderr]).toEqual([0, expect.stringContaining('Removed 2 finished entries.')]);
  expect(stderr).toContain('schedules/a.yaml keeps an entry that is finished. ');
  expect(workspace.read('schedules/a.yaml')).toContain('&gone schedules.gone');
  expect(workspace.read('schedules/a.yaml')).not.toContain('schedules.old');
});
