// A journal whose contents are not in the state beside it. Nothing is sent, and the journal stays.

import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { type FileSystem, realFileSystem } from '../../src/files/file-system.ts';
import type { JournalIntent, JournalOutcome } from '../../src/model/plan/journal.ts';
import type { State } from '../../src/model/plan/state.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { sha256 } from '../../src/state/format/fold-log.ts';
import { renderJournalLine } from '../../src/state/format/parse-journal.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import { kindOf } from '../support/apply/declared.ts';
import { madeId } from '../support/apply/memory-place.ts';
import { connecting } from '../support/cli/connecting.ts';
import { daily } from '../support/cli/open-stage.ts';
import { expectRefused } from '../support/security/refused.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

type Line = Partial<JournalIntent> | Partial<JournalOutcome>;

const file = 'almanac.state.json';
const report = (name: string) => ({ ...daily, name });
const job = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'Write to the board' };
const jobId = '70b1a9e0-1d4c-4d53-9a5e-2f0e1a6a7c11';
const at = '2026-03-01T00:00:01.000Z';
const intent = (address: string, action: 'create' | 'replace' | 'run' | 'trigger' | 'forget', more: object = {}) =>
  ({ type: 'intent', seq: 1, kind: kindOf(action), address, action, attributes: report('X'), at, ...more }) as const;
const made = (id?: string) => ({ type: 'outcome', seq: 1, status: 'applied', id, at }) as const;
const unknown = { type: 'outcome', seq: 1, status: 'unknown', at } as const;

const journalText = (
  { lineage, serial, baseUrl, salt, toolVersion }: State,
  lines: readonly Line[],
  more: object = {},
) =>
  [{ type: 'header', version: 2, lineage, serial, baseUrl, salt, toolVersion, ...more }, ...lines]
    .map((line) => renderJournalLine(line as JournalIntent))
    .join('');

/** In one clone an apply was killed; what it made exists in Omni. */
async function killed(lines: readonly Line[], options: WorldOptions = {}) {
  const world = await openWorld({ schedules: { base: report('Base') } }, options);
  await world.apply();
  const base = world.state();
  world.makeByHand(report('X'), { id: madeId });
  world.write({ [`${file}.journal`]: journalText(base, lines) });
  world.declare({ base: report('Base'), x: report('X') });
  world.sent();
  return { ...world, base };
}

/** Git puts the state of somebody else's apply in its place, and says nothing. */
function pull(world: Pick<World, 'write'> & { readonly base: State }, more: Partial<State> = {}): State {
  const { base } = world;
  const other = { attributes: report('Y'), id: 'b1f7a2c1-6f7f-4c60-9e0c-1f1f6d0a3b22', createdAt: at, updatedAt: at };
  const pulled = {
    ...base,
    serial: base.serial + 1,
    resources: { ...base.resources, 'schedules.y': other },
    ...more,
  } as State;
  world.write({ [file]: renderState(pulled) });
  return pulled;
}

async function expectKept(world: World, ...words: readonly string[]): Promise<void> {
  const journal = world.read(`${file}.journal`);
  const before = world.read(file);
  for (const command of ['plan', 'apply --auto-approve --allow duplicates', 'state rm schedules.base'])
    await expectRefused(world, command, 'error[state-conflict]', ...words);
  expect(world.sent()).toEqual([]);
  expect([world.read(`${file}.journal`), world.read(file)]).toEqual([journal, before]);
}

describe('a journal below a state that went on without it', () => {
  const both = ['core', 'full'] as const;

  it.each(both)('the id of a create is kept with operations %s, and the refusal says how', async (operations) => {
    const world = await killed([intent('schedules.x', 'create'), made(madeId)], { operations });
    pull(world);
    await expectKept(world, `schedules.x (${madeId})`, `- { to: schedules.x, id: ${madeId} }`, `move ${file}.journal`);
    // What the hint says.
    world.write({ 'schedules/adopt.yaml': { adopt: [{ to: 'schedules.x', id: madeId }] } });
    renameSync(join(world.path, `${file}.journal`), join(world.path, 'kept'));
    world.declare({ base: report('Base'), x: report('X'), y: report('Y') });
    await world.apply();
    expect(world.sent()).toEqual([]);
    expect(world.idOf('schedules.x')).toBe(madeId);
    expect((await world.plan()).changes).toEqual([]);
  });

  it.each<[string, readonly Line[], string]>([
    ['an AI job that ran', [intent('aiJobs.j', 'run', { attributes: job }), made(jobId)], `aiJobs.j (${jobId})`],
    ['a test delivery that was made', [intent('schedules.t', 'run'), made()], 'schedules.t'],
    ['a create whose outcome is open', [intent('schedules.x', 'create')], 'schedules.x'],
    ['a create whose answer was lost', [intent('schedules.x', 'create'), unknown], 'schedules.x'],
    ['a create of what the pulled state made too', [intent('schedules.y', 'create')], 'schedules.y'],
    ['a replacement', [intent('schedules.base', 'replace'), made(madeId)], `schedules.base (${madeId})`],
    ['a trigger whose answer was lost', [intent('schedules.base', 'trigger'), unknown], 'schedules.base'],
    ['a schedule whose declaration was renamed since', [intent('schedules.old', 'create'), made(madeId)], madeId],
  ])('%s is never forgotten', async (_, lines, words) => {
    const world = await killed(lines);
    pull(world);
    await expectKept(world, words);
  });

  it('an apply goes on where the state holds all of the journal, because only the journal was still to be removed', async () => {
    const world = await killed([intent('schedules.x', 'create'), made(madeId)]);
    const x = { attributes: report('X'), id: madeId, createdAt: at, updatedAt: at };
    pull(world, { resources: { ...world.base.resources, 'schedules.x': x } });
    await world.apply();
    expect(world.sent()).toEqual([]);
    expect(existsSync(join(world.path, `${file}.journal`))).toBe(false);
  });

  it.each<[string, readonly Line[]]>([
    ['a create that failed', [intent('schedules.x', 'create'), { ...made(), status: 'failed' }]],
    ['filters whose answer was lost', [intent('dashboards.d', 'create', { attributes: {} })]],
    ['a delete', [{ ...intent('schedules.base', 'create'), action: 'delete' }, made()]],
  ])('%s holds nobody up: nothing is known of it alone', async (_, lines) => {
    const world = await killed(lines);
    pull(world);
    expect((await world.run('plan')).code).toBe(0);
  });

  it('a pull during an apply loses nothing: the journal has the results, and the next apply is refused', async () => {
    const world = await openWorld({ schedules: { base: report('Base') } });
    await world.apply();
    const base = world.state();
    world.declare({ base: report('Base'), x: report('X') });
    const connect = connecting((api) => ({
      createSchedule: async (...given) => {
        pull({ ...world, base });
        return api.createSchedule(...given);
      },
    }));
    const applied = await world.beside({ connect }).run('apply', '--auto-approve');
    expect(applied).toMatchObject({
      code: 1,
      stderr: says(`Nothing is lost: what this run did is in ${file}.journal`),
    });
    world.sent();
    const id = /created \(id ([0-9a-f-]+)\)/.exec(applied.stderr)?.[1];
    await expectKept(world, `- { to: schedules.x, id: ${id} }`);
  });
});

it('a journal of an apply of every kind, which could not be removed, holds nobody up', async () => {
  const world = await openWorld({
    schedules: { changed: report('Changed'), gone: report('Gone'), replaced: report('Replaced'), old: report('Moved') },
    aiJobs: { j: job },
  });
  await world.apply();
  world.makeByHand(report('Theirs'), { id: madeId });
  world.declare(
    {
      changed: { ...report('Changed'), url: 'https://hooks.example.com/other' },
      replaced: report('Replaced'),
      moved: report('Moved'),
      new: { ...report('New'), paused: true },
      once: { ...report('Once'), testNow: true },
      theirs: report('Theirs'),
    },
    {
      aiJobs: { j: { ...job, prompt: 'Write again' } },
      moved: [{ from: 'schedules.old', to: 'schedules.moved' }],
      adopt: [{ to: 'schedules.theirs', id: madeId }],
    },
  );
  const fs: FileSystem = {
    ...realFileSystem,
    unlink: async (path) => {
      if (path.endsWith('.journal')) throw Object.assign(new Error('EIO'), { code: 'EIO' });
      return realFileSystem.unlink(path);
    },
  };
  const openState: Outside['openState'] = async (options) => openFileState({ ...options, host: { fs } });
  await expectRefused(
    world.beside({ openState }),
    'apply --auto-approve --replace schedules.replaced --allow orphans',
    'its journal cannot be removed',
  );
  expect(world.sent().length).toBeGreaterThan(5);
  expect(existsSync(join(world.path, `${file}.journal`))).toBe(true);
  await world.apply();
  expect(world.sent()).toEqual([]);
  expect(existsSync(join(world.path, `${file}.journal`))).toBe(false);
});

describe('a journal whose serial is that of the state', () => {
  const lines = [intent('schedules.x', 'create'), made(madeId)];

  it('a journal is not folded into another state than the one that its apply began with', async () => {
    const world = await killed(lines);
    world.write({ [`${file}.journal`]: journalText(world.base, lines, { base: sha256(renderState(world.base)) }) });
    pull(world, { serial: world.base.serial });
    await expectKept(world, 'a different state with that serial', `- { to: schedules.x, id: ${madeId} }`);
    world.write({ [file]: renderState(world.base) });
    await world.apply();
    expect([world.idOf('schedules.x'), world.sent()]).toEqual([madeId, []]);
  });

  it('a journal without the digest of its state is folded by lineage and serial', async () => {
    const world = await killed(lines);
    await world.apply();
    expect([world.idOf('schedules.x'), world.sent()]).toEqual([madeId, []]);
  });

  it('an apply whose state is replaced while it asks sends nothing', async () => {
    const world = await openWorld({ schedules: { base: report('Base') } });
    await world.apply();
    const base = world.state();
    world.declare({ base: report('Base'), x: report('X') });
    world.sent();
    const ask = async () => {
      pull({ ...world, base });
      return 'yes';
    };
    const { code, stderr } = await world.beside({ asker: () => ask }).run('apply');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error[state-conflict]')]);
    expect(world.sent()).toEqual([]);
    expect(existsSync(join(world.path, `${file}.journal`))).toBe(false);
  });
});

describe('a journal that is no journal of this workspace', () => {
  it('a file that only has the name of a journal is not read', async () => {
    const world = await openWorld({ schedules: { base: report('Base') } });
    world.write({ 'tools/cache/data.json.journal': 'hello\n', 'other.state.json.journal': 'hello\n' });
    expect(await world.run('plan')).toMatchObject({ code: 0 });
    await world.apply();
    expect((await world.plan()).changes).toEqual([]);
  });

  it('the journal of a workspace below this one holds nobody up, and stays for its next apply', async () => {
    const config = { state: { path: 'prod.state.json' } };
    const world = await openWorld({ schedules: { base: report('Base') } }, { config });
    world.write({
      'teams/a/almanac.yaml': { api: JSON.parse(world.read('almanac.yaml')).api },
      'teams/a/schedules/all.yaml': { schedules: { x: report('X') } },
    });
    await world.apply();
    const left = 'teams/a/almanac.state.json.journal';
    world.makeByHand(report('X'), { id: madeId });
    const header = { lineage: 'of-team-a', serial: 0, baseUrl: world.baseUrl, salt: 'c2FsdA==', toolVersion: '0.1.0' };
    world.write({ [left]: journalText(header as State, [intent('schedules.x', 'create'), made(madeId)]) });
    expect(await world.run('plan')).toMatchObject({ code: 0 });
    world.sent();
    await world.apply('-C', 'teams/a');
    expect([world.sent(), existsSync(join(world.path, left))]).toEqual([[], false]);
  });
});

describe('a journal whose state has another name now', () => {
  it('what the journal of a renamed state made is not made again, and no environment is held up by the journal of another', async () => {
    const lines = [intent('schedules.x', 'create'), made(madeId)];
    const environments = {
      dev: { state: { path: 'dev.state.json' }, deliver: { webhook: 'https://sink.example.com' } },
    };
    const world = await killed(lines, { config: { state: { path: file }, environments } });
    const dev = await world.run('plan', '--env', 'dev');
    expect(dev.code, dev.stderr).toBe(0);
    // Somebody else renamed the state; git does not know of the journal.
    renameSync(join(world.path, file), join(world.path, 'prod.state.json'));
    world.write({
      'almanac.yaml': world.read('almanac.yaml').replace(`"${file}"`, '"prod.state.json"'),
    });
    await expectRefused(world, 'apply --auto-approve', 'error[blocked]', 'schedules.x');
    expect(world.sent()).toEqual([]);
    renameSync(join(world.path, `${file}.journal`), join(world.path, 'prod.state.json.journal'));
    await world.apply();
    expect(world.sent()).toEqual([]);
  });
});
