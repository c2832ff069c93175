// almanac apply --expect-changes as a job runs it, where a refresh shows what others changed in Omni meanwhile, or that a
// lost answer was a change that was carried out.

import { expect, it } from 'vitest';
import type { Fault } from '../../src/emulator/faults.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { openApplied } from '../support/world.ts';

const hook2 = { ...hook, name: 'Hook 2' };

/** `hook` is to be `hook2`; the digests of the refreshed plan are reviewed. */
async function open(faults: readonly Fault[] = []) {
  const stage = await openApplied({ schedules: { hook, weekly } }, { faults });
  stage.declare({ hook: hook2, weekly });
  const review = async () => (await stage.plan('--refresh')).changes.map(({ digest }) => `${digest}\n`).join('');
  const applyReviewed = (digests: string, ...options: readonly string[]) => {
    stage.write({ 'reviewed.txt': digests });
    return stage.run('apply', '--auto-approve', '--refresh', '--expect-changes', 'reviewed.txt', ...options);
  };
  const expectSettled = async () => expect((await stage.plan('--refresh')).changes).toEqual([]);
  return { stage, review, applyReviewed, expectSettled };
}

it('drift that an apply would undo needs a review like any other change', async () => {
  const { stage, review, applyReviewed, expectSettled } = await open();
  const digests = await review();
  stage.change(weekly.name, (_, schedule) => (schedule.disabledAt = schedule.createdAt));
  const refused = await applyReviewed(digests);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('error[not-reviewed]: schedules.weekly') });
  expect(stage.sent()).toEqual([]);
  expect((await applyReviewed(await review())).code).toBe(0);
  await expectSettled();
});

it('an update whose answer was lost is planned as it was reviewed, also where --refresh shows that it was carried out', async () => {
  const { review, applyReviewed, expectSettled } = await open([{ fault: 'drop-after', on: 'PUT', at: 1 }]);
  const digests = await review();
  expect((await applyReviewed(digests, '--max-attempts', '1')).code).toBe(1);
  expect((await applyReviewed(digests)).code).toBe(0);
  await expectSettled();
});

it('a saved plan is a list of what was reviewed as well', async () => {
  const { stage, expectSettled } = await open();
  await stage.run('plan', '--refresh', '--out', 'almanac.plan.json');
  const apply = () =>
    stage.run('apply', '--auto-approve', '--refresh', '--expect-changes', 'almanac.plan.json', '--format', 'json');
  stage.declare({ hook: hook2, weekly: { ...weekly, name: 'Other' } });
  expect(JSON.parse((await apply()).stdout).error).toMatchObject({
    code: 'not-reviewed',
    addresses: ['schedules.weekly'],
  });
  expect(stage.sent()).toEqual([]);
  stage.declare({ hook: hook2, weekly });
  expect((await apply()).code).toBe(0);
  await expectSettled();
  stage.write({ 'almanac.plan.json': '{}' });
  expect(JSON.parse((await apply()).stdout).error).toMatchObject({ code: 'plan-unreadable' });
});

it('a saved plan is refused in another environment, also where all of it was done there', async () => {
  const { stage } = await open();
  stage.declare({ hook, weekly });
  const environments = { eu: { state: { path: 'eu.state.json' } } };
  stage.write({ 'almanac.yaml': { api: { baseUrl: stage.baseUrl, operations: 'full' }, environments } });
  await stage.run('plan', '--env', 'eu', '--out', 'almanac.plan.json');
  const { code, stderr } = await stage.run('apply', '--auto-approve', 'almanac.plan.json');
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'error[plan-stale]: The saved plan was made with --env eu, and this run is without --env.',
  );
  expect(stage.sent()).toEqual([]);
});

it.each([
  ['its changes', []],
  ['a replacement that was asked for', ['--replace', 'schedules.weekly']],
])('a saved plan of %s is done once, and the next apply of it says so', async (_, options) => {
  const { stage } = await open();
  await stage.run('plan', ...options, '--out', 'almanac.plan.json');
  const apply = (...more: readonly string[]) => stage.run('apply', '--auto-approve', 'almanac.plan.json', ...more);
  expect((await apply()).code).toBe(0);
  stage.sent();
  expect(await apply()).toMatchObject({ code: 0, stdout: 'All of it is done.\n', stderr: '' });
  expect(JSON.parse((await apply('--format', 'json')).stdout)).toMatchObject({ results: [] });
  expect(stage.sent()).toEqual([]);
});
