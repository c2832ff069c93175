// `state.path` of a pull request reaches no file outside the workspace. No such file is read, locked or written.

import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openWorld } from '../support/world.ts';

const schedules = { 'team/schedules/all.yaml': { schedules: { weekly } } };

it.each([
  ['an absolute path', '/etc/passwd'],
  ['a path with ..', '../elsewhere.json'],
  ['a path with .. that does not exist', 'no-such-folder/../../elsewhere.json'],
])('a state at %s is refused, and nothing is created there', async (_, path) => {
  const stage = await openWorld({ ...schedules, 'team/almanac.yaml': { state: { path } } });
  for (const command of ['plan', 'apply --auto-approve', 'state list', 'state unlock']) {
    const refused = await expectRefused(stage, ['-C', 'team', ...command.split(' ')], 'outside the workspace');
    expect(refused.stderr).not.toContain('root:');
  }
  expect(readdirSync(stage.path).sort()).toEqual(['almanac.yaml', 'team']);
  expect(existsSync('/etc/passwd.lock')).toBe(false);
});

it('a state that is a link out of the workspace is refused', async () => {
  const stage = await openWorld({ ...schedules, 'team/almanac.yaml': {}, 'elsewhere.json': '{}' });
  stage.link('../elsewhere.json', 'team/almanac.state.json');
  await expectRefused(stage, '-C team apply --auto-approve', 'outside the workspace');
});

it('--state names a state anywhere', async () => {
  const stage = await openWorld({ ...schedules, 'team/almanac.yaml': {} });
  mkdirSync(join(stage.path, 'states'));
  await stage.apply('-C', 'team', '--state', '../states/team.json');
  expect(existsSync(join(stage.path, 'states/team.json'))).toBe(true);
});

describe('what names recipients is readable by its owner only', () => {
  const mode = (path: string) => statSync(path).mode & 0o777;

  it('a new state and a new saved plan have mode 0600', async () => {
    const stage = await openWorld({ schedules: { weekly } });
    await stage.run('plan', '--out', 'almanac.plan.json');
    await stage.apply();
    expect(mode(join(stage.path, 'almanac.plan.json'))).toBe(0o600);
    expect(mode(join(stage.path, 'almanac.state.json'))).toBe(0o600);
  });
});
