// False ids of schedules in the state. The threat: somebody who may write the state gives a declared schedule the id of
// another one. A reviewed change would overwrite, delete, pause, give away or deliver the other schedule.

import { describe, expect, it } from 'vitest';
import type { State } from '../../src/model/plan/state.ts';
import { makeMemoryPlace } from '../support/apply/memory-place.ts';
import { hook, weekly } from '../support/cli/open-stage.ts';
import { inOneLine, mail, says } from '../support/vocabulary.ts';
import { openApplied, type World, type WorldOptions } from '../support/world.ts';

const address = 'schedules.hook';
/** Of the board, as somebody made it in Omni. */
const boards = mail({ identifier: 'b4d86e20', name: 'Board pack', subject: 'Board pack' });

/** With two commands of Almanac. */
async function plantId({ run, write }: Pick<World, 'run' | 'write'>, id: string): Promise<void> {
  const { resources, ...state } = JSON.parse((await run('state pull')).stdout) as State;
  const edited = { ...resources, [address]: { ...resources[address], id } };
  write({ 'edited.json': { ...state, serial: state.serial + 1, resources: edited } });
  expect(await run('state push edited.json')).toMatchObject({ code: 0 });
}

async function planted(more: object = {}, options: WorldOptions = {}) {
  const world = await openApplied({ schedules: { hook: { ...hook, ...more }, weekly } }, options);
  const boardId = world.makeByHand(boards);
  await plantId(world, boardId);
  return { ...world, boardId };
}

/** The exit code of a command that nobody confirms, and whether it says that ids disagree. */
async function disagreed({ run }: Pick<World, 'run'>, command: readonly string[]): Promise<readonly [number, boolean]> {
  const { code, stdout, stderr } = await run(...command, '--auto-approve');
  return [code, inOneLine(stdout + stderr).includes('The state and Omni disagree')];
}

const declaring = (fields: object) => ({
  'schedules/all.yaml': { schedules: { hook: { ...hook, ...fields }, weekly } },
});
const update = declaring({ timezone: 'Europe/London' });

it.each<[what: string, files: Record<string, unknown>, command: readonly string[], before?: object]>([
  ['an update', update, ['apply']],
  ['a pause', declaring({ paused: true }), ['apply']],
  ['a resumption', declaring({}), ['apply'], { paused: true }],
  ['a transfer', declaring({ owner: 'ana@example.com' }), ['apply']],
  ['a deletion', { 'schedules/all.yaml': { schedules: { weekly } } }, ['apply']],
  ['a replacement', {}, ['apply', '--replace', address]],
  ['a trigger', {}, ['trigger', address]],
  ['a trigger with others', {}, ['trigger', 'schedules.weekly', address, '--if-stale', '1h']],
])('%s of a planted id is refused with both sides, and nothing is sent', async (_, files, command, before) => {
  const { run, write, sent, boardId, state } = await planted(before);
  write(files);
  const earlier = state();
  const { code, stdout, stderr } = await run(...command, '--auto-approve');
  expect(code, stdout + stderr).toBe(1);
  const said = inOneLine(stdout + stderr);
  expect(said).toContain('The state and Omni disagree about an id.');
  expect(said).toContain(`${address} (${boardId}): the state has "Stock feed" on the dashboard 3f9c2b71`);
  expect(said).toContain('Omni lists "Board pack" on the dashboard b4d86e20.');
  expect(sent()).toEqual([]);
  expect(state().resources).toEqual(earlier.resources);
});

it.each<[what: string, files: Record<string, unknown>, command: readonly string[]]>([
  ['an update', update, ['apply']],
  ['a deletion', { 'schedules/all.yaml': { schedules: { weekly } } }, ['apply']],
  ['a trigger', {}, ['trigger', address]],
])('%s of a planted id in capitals, which Omni takes for the same, is refused', async (_, files, command) => {
  const world = await openApplied({ schedules: { hook, weekly } });
  const id = world.makeByHand(boards, { id: 'b1f7a2c1-6f7f-4c60-9e0c-1f1f6d0a3b22' });
  await plantId(world, id.toUpperCase());
  world.write(files);
  expect(await disagreed(world, command)).toEqual([1, true]);
  expect(world.sent()).toEqual([]);
});

const sealed = { $secret: 'A'.repeat(32), text: 'Any' };
const gone = { 'schedules/all.yaml': { schedules: { weekly } } };

describe.each<[how: string, kept: object]>([
  ['lacks', {}],
  ['keeps sealed', { name: sealed, identifier: sealed }],
])('a planted id whose dashboard and name the state %s', (_, kept) => {
  it.each<[what: string, files: Record<string, unknown>, command: readonly string[]]>([
    ['an update', update, ['apply']],
    ['a deletion', gone, ['apply']],
    ['a deletion after a look', gone, ['apply', '--refresh']],
    ['a replacement', {}, ['apply', '--replace', address]],
    ['a trigger', {}, ['trigger', address]],
  ])('%s of an id is refused where the state does not say whose it is', async (_what, files, command) => {
    const world = await planted();
    const { resources, ...rest } = world.state();
    const { name: _name, identifier: _identifier, ...attributes } = resources[address]?.attributes ?? {};
    const edited = { ...resources, [address]: { ...resources[address], attributes: { ...attributes, ...kept } } };
    world.write({ 'almanac.state.json': { ...rest, resources: edited }, ...files });
    expect(await disagreed(world, command)).toEqual([1, true]);
    expect(world.sent()).toEqual([]);
  });
});

it('a planted id is refused in the log of a shared place as in a file', async () => {
  const place = makeMemoryPlace('git branch almanac-state of origin');
  const config = { state: { backend: 'git' } };
  const { run, write, sent } = await planted({}, { config, outside: { openSharedState: async () => place.open() } });
  write(update);
  for (const command of [['apply'], ['apply', '--replace', address], ['trigger', address]]) {
    expect(await disagreed({ run }, command)).toEqual([1, true]);
  }
  expect(sent()).toEqual([]);
});

it('a retry of a planted id is refused, and the failed delivery of the other schedule is not repeated', async () => {
  const { run, sent, boardId, emulator } = await planted();
  emulator.edit(({ schedules }) => {
    const lastRun = { status: 'ERROR', at: '2026-02-28T08:00:00.000Z' };
    for (const schedule of schedules) if (schedule.id === boardId) Object.assign(schedule, { lastRun });
  });
  const { code, stdout, stderr } = await run('status', '--retry', 'failed', '--auto-approve');
  expect(code, stdout).toBe(1);
  expect(stdout).toContain('FAILED');
  expect(stderr).toEqual(says(`${address} (${boardId}): the state has "Stock feed"`));
  expect(sent()).toEqual([]);
});

it('a look shows what a planted id stands for, and a review of the plan without it lets nothing through', async () => {
  const { run, plan, write, sent } = await planted();
  write(update);
  const reviewed = (await plan()).changes.map(({ digest }) => digest);
  write({ 'reviewed.txt': reviewed.join('\n') });
  const apply = ['apply', '--expect-changes', 'reviewed.txt'];
  expect(await disagreed({ run }, apply)).toEqual([1, true]);
  expect((await run(...apply, '--auto-approve', '--refresh')).stderr).toContain('error[not-reviewed]');
  expect((await plan('--refresh')).changes[0]?.diff).toEqual(
    expect.arrayContaining([expect.objectContaining({ path: '/name', before: 'Board pack', after: 'Stock feed' })]),
  );
  expect(sent()).toEqual([]);
});

it.each<[what: string, open: object]>([
  ['that has sent the other name', { attributes: boards }],
  ['that has sent it before', { attributes: hook, earlier: [boards] }],
  ['of which nothing is known', {}],
  ['that has sent a name and no dashboard', { attributes: { name: boards.name } }],
])('an open change %s does not answer for a planted id in a reviewed apply', async (_, open) => {
  const { run, write, sent, state } = await planted();
  const unresolved = [{ address, action: 'update', since: '2026-03-01T00:00:00.000Z', ...open }];
  write({ ...update, 'nothing.txt': '', 'almanac.state.json': { ...state(), serial: state().serial + 1, unresolved } });
  for (const files of [update, { 'schedules/all.yaml': { schedules: { weekly } } }]) {
    write(files);
    expect(await disagreed({ run }, ['apply', '--expect-changes', 'nothing.txt'])).toEqual([1, true]);
  }
  expect(sent()).toEqual([]);
});

it('the review of a deletion lets no schedule of another name be deleted, also after a look', async () => {
  const { run, plan, write, sent, makeByHand } = await openApplied({ schedules: { hook, weekly } });
  await plantId({ run, write }, makeByHand({ ...hook, name: 'Of a colleague' }));
  write({ 'schedules/all.yaml': { schedules: { weekly } } });
  write({ 'reviewed.txt': (await plan()).changes.map(({ digest }) => digest).join('\n') });
  for (const look of [[], ['--refresh'], ['--refresh=deep']]) {
    expect(await disagreed({ run }, ['apply', '--expect-changes', 'reviewed.txt', ...look])).toEqual([1, true]);
  }
  expect(sent()).toEqual([]);
  const taken = await run('apply', '--refresh-only', '--target', address, '--auto-approve');
  expect(taken.code, taken.stderr).toBe(0);
});

it('the plan of any pull request shows an unresolved update that is planted with the id', async () => {
  const { plan, write, state, boardId } = await planted();
  const lost = { address, action: 'update', since: '2026-03-01T00:00:00.000Z', attributes: { ...hook, ...boards } };
  write({ 'almanac.state.json': { ...state(), unresolved: [lost] } });
  expect((await plan()).changes).toMatchObject([
    { address, action: 'update', reason: 'unresolved', id: boardId, digest: expect.any(String) },
  ]);
});

it('a schedule that somebody renamed in Omni is refused with the command that takes the name over', async () => {
  const { run, write, change, sent, idOf } = await openApplied({ schedules: { hook, weekly } });
  write(update);
  change(hook.name, (fields) => Object.assign(fields, { name: 'Stock feed, renamed' }));
  const { stdout } = await run('apply --auto-approve');
  const [, way = ''] = /`almanac (apply --refresh-only --target \S+)`/.exec(inOneLine(stdout)) ?? [];
  expect(await run(`${way} --auto-approve`)).toMatchObject({ code: 0 });
  expect((await run('plan')).stdout).toMatch(/~ name: +"Stock feed, renamed" -> "Stock feed"/);
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect(sent()).toEqual([`PUT /api/v1/schedules/${idOf(address)}`]);
});
