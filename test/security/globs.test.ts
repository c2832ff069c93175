// `sources` does not walk the disk, and no match is skipped in silence.

import { expect, it } from 'vitest';
import { weekly } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { openWorld } from '../support/world.ts';

it.each([
  '/etc/**/*.yaml',
  '../../../**/*.zzz',
  'schedules/../../**/*.yaml',
  '!../x.yaml',
  '{..,schedules}/*.yaml',
  '\\/etc/*.conf',
])('the glob %s is an error, and no path outside is listed', async (glob) => {
  const stage = await openWorld({
    'outside.yaml': {},
    'team/almanac.yaml': { sources: [glob] },
    'team/schedules/all.yaml': { schedules: { weekly } },
  });
  const refused = await expectRefused(stage, '-C team validate', 'Write a glob inside the workspace');
  expect(refused.stdout).not.toMatch(/outside\.yaml|\.conf:/);
});

it.each(['**/*.yaml', './schedules/*.yaml', '!schedules/drafts/**'])('the glob %s is fine', async (glob) => {
  const stage = await openWorld({
    'almanac.yaml': { sources: ['schedules/*.yaml', glob] },
    schedules: { weekly },
  });
  expect((await stage.run('validate')).code).toBe(0);
});

it('a linked folder that a glob reaches is an error, and nothing below it is walked or listed', async () => {
  const stage = await openWorld({
    'outside/secret.yaml': {},
    'team/almanac.yaml': { sources: ['schedules/**/*.yaml'] },
    'team/schedules/all.yaml': { schedules: { weekly } },
  });
  stage.link('../../outside', 'team/schedules/linked');
  const refused = await expectRefused(stage, '-C team validate', 'The folder schedules/linked is a symbolic link.');
  expect(refused.stdout + refused.stderr).not.toContain('secret.yaml');
});
