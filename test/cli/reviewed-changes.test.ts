// almanac apply --expect-changes as a job runs it, where a refresh shows what others changed in Omni meanwhile.

import { expect, it } from 'vitest';
import { hook, mail } from '../support/vocabulary.ts';
import { openApplied } from '../support/world.ts';

it('drift that an apply would undo needs a review like any other change', async () => {
  const stage = await openApplied({ schedules: { hook: hook({ name: 'Feed' }), weekly: mail() } });
  stage.declare({ hook: hook({ name: 'Feed 2' }), weekly: mail() });
  const review = async () => (await stage.plan('--refresh')).changes.map(({ digest }) => `${digest}\n`).join('');
  const applyReviewed = (digests: string) => {
    stage.write({ 'reviewed.txt': digests });
    return stage.run('apply', '--auto-approve', '--refresh', '--expect-changes', 'reviewed.txt');
  };
  const digests = await review();
  stage.change('Weekly sales', (_, schedule) => (schedule.disabledAt = schedule.createdAt));
  const refused = await applyReviewed(digests);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('error[not-reviewed]: schedules.weekly') });
  expect(stage.sent()).toEqual([]);
  expect((await applyReviewed(await review())).code).toBe(0);
  expect((await stage.plan('--refresh')).changes).toEqual([]);
});
