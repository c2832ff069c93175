// `almanac status` of schedules with hostile names. What it says is in the transcripts.

import { expect, it } from 'vitest';
import { obeyed } from '../support/report/strip-sgr.ts';
import { hook } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

it('status: names from the service neither control the terminal nor leave their cell', async () => {
  const stage = await openApplied({ schedules: { a: hook() } });
  stage.until(3, 10);
  const at = '2026-03-03T09:00:00.000Z';
  const name = '\u001b[2J\u202e| @everyone ##[error]';
  stage.makeByHand(hook({ name }), { createdAt: at, updatedAt: at, lastRun: { at, status: 'ERROR' } });
  expect((await stage.run('status', '--all')).stdout).not.toMatch(obeyed);
  const { stdout } = await stage.run('status', '--all', '--format', 'markdown');
  expect(stdout).toContain('1 schedule to look at');
  expect(stdout).not.toMatch(/(?<!&#64;|`[^`]*)@everyone/);
  expect(stdout).not.toMatch(obeyed);
  expect((await stage.run('status', '--all', '--format', 'json')).stdout).not.toContain('##[');
});
