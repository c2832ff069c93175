// A loop on the command line: plan, apply, targets, the state, and what a shell completes.

import { expect, it } from 'vitest';
import type { PlanDocument } from '../../src/model/plan/plan.ts';
import { hook } from '../support/cli/open-stage.ts';
import { openWorld } from '../support/world.ts';

const loop = (items: object) => ({ forEach: items, ...hook, name: 'Feed of ${each.value}' });
const regions = { emea: 'Europe', apac: 'Asia', amer: 'America' };

async function stage(schedules: object) {
  const workspace = await openWorld({ schedules });
  return { ...workspace, workspace };
}

const inBrief = ({ changes }: PlanDocument) => changes.map(({ action, address }) => `${action} ${address}`);

it('a loop is planned, applied and planned empty, and its name stands for all of its instances', async () => {
  const { workspace, emulator } = await stage({ feed: loop(regions), other: hook });
  const text = await workspace.run('plan');
  expect(text.stdout).toContain('Plan: 4 to create, 3 of them from 1 loop.');
  const plan = await workspace.plan('--target', 'schedules.feed');
  expect(inBrief(plan)).toEqual(['amer', 'apac', 'emea'].map((item) => `create schedules.feed.${item}`));
  // Who added the region is asked of the line of its item.
  expect(plan.changes.map(({ file, line }) => `${file}:${line}`)).toEqual(
    [7, 6, 5].map((line) => `schedules/all.yaml:${line}`),
  );
  await workspace.apply('--target', 'schedules.feed');
  const names = emulator.data().schedules.map(({ fields }) => fields['name']);
  expect(names.sort()).toEqual(['Feed of America', 'Feed of Asia', 'Feed of Europe']);
  await workspace.apply();
  expect(inBrief(await workspace.plan())).toEqual([]);
  const unknown = await workspace.run('plan', '--target', 'schedules.feed.emaa');
  expect(unknown.stderr).toContain('schedules.feed.emea');
});

it('the state knows an instance and a whole loop by their addresses', async () => {
  const { workspace, declare } = await stage({ feed: loop(regions), other: hook });
  await workspace.apply();
  const listed = await workspace.run('state', 'list', 'schedules.feed');
  expect(listed.stdout).toContain('schedules.feed.amer');
  expect(listed.stdout).not.toContain('schedules.other');
  const shown = await workspace.run('state', 'show', 'schedules.feed.emea');
  expect(shown.stdout).toContain('Feed of Europe');
  expect(shown.stdout).not.toContain('Feed of Asia');
  expect((await workspace.run('state', 'mv', 'schedules.feed.emea', 'schedules.feed.europe')).code).toBe(0);
  declare({ feed: loop({ europe: 'Europe', apac: 'Asia', amer: 'America' }), other: hook });
  expect(inBrief(await workspace.plan())).toEqual([]);
  expect((await workspace.run('state', 'mv', 'schedules.feed', 'schedules.flow')).code).toBe(0);
  declare({ flow: loop({ europe: 'Europe', apac: 'Asia', amer: 'America' }), other: hook });
  expect(inBrief(await workspace.plan())).toEqual([]);
  const removed = await workspace.run('state', 'rm', 'schedules.flow');
  expect(removed.stdout.match(/is no longer tracked/g)).toHaveLength(3);
});

it('a test delivery is that of one instance', async () => {
  const { workspace } = await stage({ feed: loop(regions) });
  const refused = await workspace.run('test', 'schedules.feed', '--auto-approve');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Name one of its instances, such as schedules.feed.emea.');
  expect((await workspace.run('test', 'schedules.feed.apac', '--auto-approve')).code).toBe(0);
});

it('a single resource that shares its name with a loop hides no instance in the JSON of state show', async () => {
  const { workspace } = await stage({ feed: loop(regions), other: hook });
  await workspace.apply();
  await workspace.run('state', 'mv', 'schedules.other', 'schedules.feed');
  const shown = async (address: string) =>
    JSON.parse((await workspace.run('state', 'show', address, '--format', 'json')).stdout) as { resources?: object };
  const instances = Object.keys(regions).map((key) => `schedules.feed.${key}`);
  expect(Object.keys((await shown('schedules.feed')).resources ?? {}).sort()).toEqual(
    ['schedules.feed', ...instances].sort(),
  );
  expect((await shown(instances[0] ?? '')).resources).toBeUndefined();
});

it('next answers for a whole loop', async () => {
  const { workspace } = await stage({ feed: loop(regions), other: hook });
  const { stdout } = await workspace.run('next', 'schedules.feed', '--format', 'json');
  const { schedules } = JSON.parse(stdout) as { schedules: readonly { address: string }[] };
  expect(schedules.map(({ address }) => address).sort()).toEqual(
    ['amer', 'apac', 'emea'].map((item) => `schedules.feed.${item}`),
  );
});
