// A folder without a workspace: a mistyped --chdir or working directory must never look like "No changes".

import { expect, it } from 'vitest';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const open = (files: Readonly<Record<string, unknown>> = {}) => workspaceIn(makeFolder(files), {});

it.each([
  ['validate'],
  ['plan'],
  ['apply', '--auto-approve'],
  ['drift'],
  ['fmt'],
  ['next'],
  ['test', 'schedules.a'],
  ['show'],
  ['state', 'list'],
  ['state', 'pull'],
  ['state', 'orphans'],
  ['state', 'unlock'],
])('almanac %s without a workspace fails', async (...argv) => {
  const { code, stdout, stderr } = await open({ 'unrelated.yaml': 'a: 1\n' }).run(...argv);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('There is no workspace here or above.');
});

it('almanac plan --format json without a workspace prints the error as a document', async () => {
  const { code, stdout } = await open().run('plan', '--format', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { message: 'There is no workspace here or above.' } });
});

it.each([
  ['almanac.yaml', 'api: {}\n'],
  ['schedules/a.yaml', 'schedules: {}\n'],
  ['almanac.state.json', JSON.stringify(stateOf({ 'schedules.a': schedule() }))],
])('a folder that holds only %s is a workspace', async (name, text) => {
  expect((await open({ [name]: text }).run('state', 'list')).code).toBe(0);
});
