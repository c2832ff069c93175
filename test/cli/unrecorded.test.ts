// A state that cannot be written any more: the run names what nobody else knows, each with the command that records it, or
// says where the next run finds it, or that nothing was changed.

import { describe, expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import { type FileSystem, realFileSystem } from '../../src/files/file-system.ts';
import type { State } from '../../src/model/plan/state.ts';
import { openFileState } from '../../src/state/file/file-state.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import { makeMemoryPlace } from '../support/apply/memory-place.ts';
import { connecting } from '../support/cli/connecting.ts';
import { daily, weekly } from '../support/cli/open-stage.ts';
import { type Change, watchedApi } from '../support/emulator/watched-api.ts';
import { expectDocument } from '../support/schemas.ts';
import { expectRefused } from '../support/security/refused.ts';
import { says } from '../support/vocabulary.ts';
import { openWorld, type World, type WorldOptions } from '../support/world.ts';

const job = { modelId: '770e8400-e29b-41d4-a716-446655440002', prompt: 'Sum up the week.' };
const lead = 'This is recorded nowhere. Once the state can be written again, record it:';
const unchanged = 'Nothing was changed in Omni or in the state.';

/** The commands that a text advises, each on a line of its own. */
const advised = (text: string) => [...text.matchAll(/^ {2}almanac (state resolve .*)$/gm)].map(([, line = '']) => line);

/** The program with `cut`, which is called as a request of that kind goes out. */
function cutting(world: World, kind: Change['kind'], cut: () => void) {
  const reach = (when: 'before' | 'after', change: Change) => {
    if (when === 'before' && change.kind === kind) cut();
  };
  const { run } = world.beside({ connect: connecting((api) => watchedApi(api, reach)) });
  return (line: string) => run(...line.split(' '));
}

/** The state is in a place that many share, which can be cut off. */
async function shared(schedules: object, options: WorldOptions = {}) {
  const place = makeMemoryPlace('git branch almanac-state of origin');
  const outside = { openSharedState: async () => place.open() };
  const world = await openWorld({ schedules }, { config: { state: { backend: 'git' } }, outside, ...options });
  const cutAt = (kind: Change['kind']) => cutting(world, kind, () => place.log.cut());
  const mend = () => {
    place.log.mend();
    place.endProcesses();
  };
  return { ...world, place, cutAt, mend };
}

/** The state is in a file. */
async function onDisk(schedules: object, options: WorldOptions = {}) {
  const disk = { isFull: false, isReadOnly: false };
  const failed = (code: string) => Object.assign(new Error(code), { code });
  const fs: FileSystem = {
    ...realFileSystem,
    open: async (path, flags) => {
      if (disk.isReadOnly && path.endsWith('.tmp')) throw failed('EROFS');
      const file = await realFileSystem.open(path, flags);
      return {
        sync: () => file.sync(),
        chmod: (mode) => file.chmod(mode),
        truncate: (length) => file.truncate(length),
        close: () => file.close(),
        writeFile: async (text) => {
          if (disk.isFull) throw failed('ENOSPC');
          await file.writeFile(text);
        },
      };
    },
  };
  const openState: Outside['openState'] = async (given) => openFileState({ ...given, host: { fs } });
  const world = await openWorld({ schedules }, { ...options, outside: { openState } });
  const fullAt = (kind: Change['kind']) => cutting(world, kind, () => Object.assign(disk, { isFull: true }));
  return { ...world, disk, fullAt };
}

interface Lost {
  readonly what: string;
  readonly operations?: 'core';
  readonly declared?: object;
  readonly line: string;
  readonly kind: Change['kind'];
  /** What follows `almanac state resolve`. */
  readonly answer: RegExp;
}

const lost: readonly Lost[] = [
  {
    what: 'a create',
    declared: { schedules: { daily, weekly } },
    line: 'apply',
    kind: 'POST schedule',
    answer: /^schedules\.weekly --id [0-9a-f-]{36}$/,
  },
  {
    what: 'a create with operations core',
    operations: 'core',
    declared: { schedules: { daily, weekly } },
    line: 'apply',
    kind: 'POST schedule',
    answer: /^schedules\.weekly --id [0-9a-f-]{36}$/,
  },
  {
    what: 'a replacement',
    line: 'apply --replace schedules.daily',
    kind: 'POST schedule',
    answer: /^schedules\.daily --id [0-9a-f-]{36}$/,
  },
  {
    what: 'an AI job',
    declared: { schedules: { daily }, aiJobs: { job } },
    line: 'apply',
    kind: 'POST job',
    answer: /^aiJobs\.job --id [0-9a-f-]{36}$/,
  },
  {
    what: 'a test delivery',
    declared: { schedules: { daily, once: { ...weekly, testNow: true } } },
    line: 'apply',
    kind: 'POST schedule',
    answer: /^schedules\.once --done$/,
  },
  {
    what: 'a delivery',
    line: 'trigger schedules.daily',
    kind: 'POST trigger',
    answer: /^schedules\.daily --done$/,
  },
  {
    what: 'a delivery that status repeats',
    line: 'status --retry failed',
    kind: 'POST trigger',
    answer: /^schedules\.daily --done$/,
  },
];

describe('a shared place that is cut off while a request is under way', () => {
  it.each(lost)('$what is named with the command that records it', async (each) => {
    const { operations, declared = { schedules: { daily } }, line, kind, answer } = each;
    const world = await shared({ daily }, { operations });
    await world.apply();
    world.sent();
    world.change(daily.name, (_, schedule) =>
      Object.assign(schedule, { lastRun: { at: '2026-02-28T09:00:00.000Z', status: 'ERROR' } }),
    );
    world.write({ 'schedules/all.yaml': declared });
    const { code, stderr } = await world.cutAt(kind)(`${line} --auto-approve --quiet`);
    expect([code, world.sent()], stderr).toEqual([1, [expect.stringMatching(/^POST/)]]);
    expect(stderr).toEqual(says(lead));
    const commands = advised(stderr);
    expect(commands.map((command) => command.replace('state resolve ', ''))).toEqual([expect.stringMatching(answer)]);
    world.mend();
    expect(await world.run(...commands)).toMatchObject({ code: 0, stderr: '' });
    await world.apply();
    expect(world.sent().filter((sent) => sent.startsWith('POST'))).toEqual([]);
    expect((await world.plan()).changes).toEqual([]);
    const names = world.emulator.data().schedules.map(({ fields }) => fields['name']);
    expect(names.length).toBe(new Set(names).size);
  });

  it('a change that can be repeated needs no command: the next run goes on from the log', async () => {
    const world = await shared({ weekly });
    await world.apply();
    world.declare({ weekly: { ...weekly, subject: 'Another' } });
    const { code, stderr } = await world.cutAt('PUT schedule')('apply --auto-approve');
    expect([code, advised(stderr)]).toEqual([1, []]);
    expect(stderr).toEqual(says(`Nothing is lost: what this run did is in the log of ${world.place.name}, and`));
    world.mend();
    await world.apply();
    expect((await world.plan()).changes).toEqual([]);
  });

  it('a create that Omni refused is named as well, and is planned again', async () => {
    const world = await shared({ elsewhere: { ...weekly, identifier: 'zzzzzzzz' } }, { operations: 'core' });
    const { stderr } = await world.cutAt('POST schedule')('apply --auto-approve');
    expect(stderr).toEqual(says(unchanged));
    expect(advised(stderr)).toEqual(['state resolve schedules.elsewhere --retry']);
    world.mend();
    expect(await world.run('state resolve schedules.elsewhere --retry')).toMatchObject({ code: 0 });
    expect((await world.plan()).changes).toMatchObject([{ action: 'create' }]);
  });

  it('as JSON the error has all of them with their ids, and the commands name the environment', async () => {
    const config = { state: { backend: 'git' }, environments: { staging: {} } };
    const world = await shared({ daily, weekly }, { config });
    const apply = 'apply --env staging --auto-approve --format json';
    const { code, stdout, stderr } = await world.cutAt('POST schedule')(apply);
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('state resolve')]);
    const made = (name: string) => world.emulator.data().schedules.find(({ fields }) => fields['name'] === name)?.id;
    const { error } = expectDocument<{ error: { unrecorded: Record<string, string>[] } }>('error', stdout);
    expect(error).toMatchObject({ code: 'state-unwritable' });
    expect(error.unrecorded.map(({ address }) => address).sort()).toEqual(['schedules.daily', 'schedules.weekly']);
    for (const { address = '', ...each } of error.unrecorded) {
      const id = made(address === 'schedules.daily' ? daily.name : weekly.name);
      expect(each).toEqual({
        action: 'create',
        id,
        command: `almanac state resolve --env staging ${address} --id ${id}`,
      });
    }
    world.mend();
    for (const { command = '' } of error.unrecorded)
      expect(await world.run(command.replace('almanac ', ''))).toMatchObject({ code: 0 });
    expect((await world.plan('--env', 'staging')).changes).toEqual([]);
  });
});

describe('a disk that is full or read-only', () => {
  it('what neither the state nor its journal could take is named, for the state of this run', async () => {
    const world = await onDisk({ weekly });
    const { code, stderr } = await world.fullAt('POST schedule')('apply --auto-approve -q --state other.json');
    expect(code).toBe(1);
    expect(stderr).toEqual(says('error[state-unwritable]: other.json cannot be written: the disk is full (ENOSPC).'));
    const [command = '', ...others] = advised(stderr);
    expect([command, others]).toEqual([
      expect.stringMatching(/^state resolve --state other\.json schedules\.weekly --id \S+$/),
      [],
    ]);
    world.disk.isFull = false;
    expect(await world.run(command)).toMatchObject({ code: 0 });
    world.sent();
    await world.apply('--state', 'other.json');
    expect(world.sent()).toEqual([]);
  });

  it('what the journal holds needs no command, and the next run folds it', async () => {
    const world = await onDisk({ weekly });
    world.disk.isReadOnly = true;
    const { code, stderr } = await world.run('apply --auto-approve --quiet');
    expect([code, advised(stderr)]).toEqual([1, []]);
    expect(stderr).toEqual(
      says(
        'Nothing is lost: what this run did is in almanac.state.json.journal, and the next run folds it into the state.',
      ),
    );
    world.disk.isReadOnly = false;
    world.sent();
    await world.apply();
    expect(world.sent()).toEqual([]);
    expect((await world.plan()).changes).toEqual([]);
  });

  it.each([
    'state mv schedules.weekly schedules.monday',
    'state rm schedules.weekly',
    'state push later.json',
    'state resolve schedules.lost --retry',
    'state orphans --clear 2abba91d-9bec-41a0-8a8d-6f133b4ff0b7',
  ])('%s says that nothing was changed, and nothing was', async (line) => {
    const world = await onDisk({ weekly });
    await world.apply();
    const since = '2026-03-01T00:00:00.000Z';
    const state = {
      ...world.state(),
      orphans: [
        { id: '2abba91d-9bec-41a0-8a8d-6f133b4ff0b7', address: 'schedules.gone', identifier: 'a', name: 'Gone', since },
      ],
      unresolved: [{ address: 'schedules.lost', action: 'create', attributes: daily, since }],
    } as unknown as State;
    const later = { ...state, serial: state.serial + 1 };
    world.write({ 'almanac.state.json': renderState(state), 'later.json': renderState(later) });
    world.disk.isReadOnly = true;
    await expectRefused(world, line, 'the file system is read-only (EROFS)', unchanged);
    expect(world.state()).toEqual(state);
    world.disk.isReadOnly = false;
    expect(await world.run(line)).toMatchObject({ code: 0 });
  });

  it('an apply that only found out what became of a lost request changes nothing, and the next one finds it out', async () => {
    const world = await onDisk({ weekly }, { faults: [{ fault: 'drop-after', on: 'POST /v1/schedules', at: 1 }] });
    await world.run('apply --auto-approve');
    world.disk.isReadOnly = true;
    await expectRefused(world, 'apply --auto-approve', unchanged);
    world.disk.isReadOnly = false;
    await world.apply();
    expect(world.emulator.data().schedules).toHaveLength(1);
    expect((await world.plan()).changes).toEqual([]);
  });

  it('an import that cannot write the state says that the files are written, and how to go on', async () => {
    const world = await onDisk({});
    world.makeByHand(weekly);
    world.disk.isReadOnly = true;
    await expectRefused(world, 'import --write-state', unchanged, '`almanac import --resume --write-state`');
    world.disk.isReadOnly = false;
    const again = await world.run('import --resume --write-state');
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(world.sent()).toEqual([]);
    expect((await world.plan()).changes).toEqual([]);
  });
});

it('a state that cannot be moved to its place stays in the file', async () => {
  const world = await shared({});
  world.place.log.entries.splice(0);
  world.write({ 'almanac.yaml': world.read('almanac.yaml').replace('"git"', '"local"') });
  world.declare({ weekly });
  await world.apply();
  world.write({ 'almanac.yaml': world.read('almanac.yaml').replace('"local"', '"git"') });
  const before = world.read('almanac.state.json');
  world.place.log.beforeAppend = (_, { kind }) => {
    if (kind === 'commit') world.place.log.cut();
  };
  await expectRefused(world, 'state migrate --auto-approve', 'Nothing was changed in Omni');
  expect(world.read('almanac.state.json')).toBe(before);
  world.place.log.beforeAppend = () => undefined;
  world.mend();
  expect(await world.run('state migrate --auto-approve')).toMatchObject({ code: 0 });
  expect((await world.plan()).changes).toEqual([]);
});
