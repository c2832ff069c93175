// The commands about the place of the state, in memory and on real files.

import fs, { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outside } from '../../src/commands/base/world.ts';
import type { StateCheckDocument, StateHistoryDocument } from '../../src/commands/state/state-document.ts';
import type { State } from '../../src/model/plan/state.ts';
import { placeName, type SharedPlace } from '../../src/model/workspace/state-place.ts';
import { currentState } from '../../src/state/current-state.ts';
import { renderState } from '../../src/state/format/parse-state.ts';
import { openStoreOver } from '../../src/state/log/log-store.ts';
import { ana, createdAndDied, type MemoryPlace, makeMemoryPlace } from '../support/apply/memory-place.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { schedule, stateOf } from '../support/plan/planning.ts';
import { expectDocument } from '../support/schemas.ts';
import { expectRefused } from '../support/security/refused.ts';
import { makeMemoryPlace as makeMemoryLog } from '../support/state/memory-log.ts';
import { openMachine } from '../support/state/team-machine.ts';
import { says } from '../support/vocabulary.ts';
import { makeFolder, workspaceIn } from '../support/workspace.ts';

const state = stateOf({ 'schedules.weekly': schedule() });
const gitPlace = 'git branch almanac-state of origin';
const inGit = { state: { backend: 'git' } };

/** A workspace whose almanac.yaml is `almanac`; each shared place has what the test puts into it. */
async function open(
  almanac: unknown,
  options: {
    readonly local?: State | undefined;
    readonly shared?: Readonly<Record<string, State>>;
    readonly answer?: string;
  } = {},
) {
  const { local, shared = {}, answer } = options;
  const folder = makeFolder({
    'almanac.yaml': almanac,
    'schedules/all.yaml': {},
    ...(local === undefined ? {} : { 'almanac.state.json': renderState(local) }),
  });
  const places = new Map<string, MemoryPlace>();
  const placeNamed = (name: string): MemoryPlace => {
    const place = places.get(name) ?? makeMemoryPlace(name);
    places.set(name, place);
    return place;
  };
  for (const [name, state] of Object.entries(shared)) await placeNamed(name).write(state);
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer;
  };
  const openSharedState = async ({ place }: { readonly place: SharedPlace }) => placeNamed(placeName(place)).open();
  const workspace = workspaceIn(folder, {}, { openSharedState, asker: () => (answer === undefined ? undefined : ask) });
  return { ...workspace, placeNamed, asked };
}

/** Without the breaks of its lines. */
const holderOf = async (place: MemoryPlace) => (await place.open().lockHolder())?.holder;

describe('state migrate', () => {
  it('state migrate moves the file to the place that almanac.yaml names, and sets the file aside', async () => {
    const { path, run, read, placeNamed } = await open(inGit, { local: state });
    expect(await run('state', 'migrate', '--auto-approve')).toEqual({
      code: 0,
      stdout: `The state was moved from almanac.state.json to ${gitPlace} (serial 7, 1 resource).\n`,
      stderr:
        'almanac.state.json.moved is the old state. While it is there, an almanac.yaml from before the move is refused here.\n',
    });
    expect(existsSync(join(path, 'almanac.state.json'))).toBe(false);
    expect(read('almanac.state.json.moved')).toBe(renderState(state));
    expect(statSync(join(path, 'almanac.state.json.moved')).mode & 0o777).toBe(0o600);
    expect(placeNamed(gitPlace).text()).toBe(renderState(state));
    expect(await holderOf(placeNamed(gitPlace))).toBeUndefined();
    expect((await run('state', 'list')).stdout).toContain('schedules.weekly');
  });

  it('a state that was moved is refused where it comes back, and where an old almanac.yaml looks for it', async () => {
    const { run, write } = await open(inGit, { local: state });
    await run('state', 'migrate', '--auto-approve');
    write({ 'almanac.yaml': {} });
    for (const argv of [['plan'], ['state', 'list'], ['apply', '--auto-approve']]) {
      await expectRefused({ run }, argv, 'error[state-moved]: almanac.state.json is no longer the state');
    }
    write({ 'almanac.state.json': renderState({ ...state, serial: 9 }) });
    expect((await run('plan')).stderr).toEqual(says('and remove almanac.state.json'));
    expect((await run('state', 'migrate', '--auto-approve')).stderr).toEqual(says('so there is nothing to move'));
    write({ 'almanac.state.json': renderState({ ...state, lineage: 'begun-anew' }) });
    expect((await run('state', 'list')).stdout).toContain('schedules.weekly');
  });

  it('state migrate moves another file that --state names, and refuses where almanac.yaml names a file', async () => {
    const { run, write, read, placeNamed } = await open(inGit);
    write({ 'state/prod.json': renderState(state) });
    expect((await run('state', 'migrate', '--auto-approve')).stderr).toContain('Name another file with --state.');
    expect(await run('state', 'migrate', '--state', 'state/prod.json', '--auto-approve')).toMatchObject({ code: 0 });
    expect(placeNamed(gitPlace).text()).toBe(renderState(state));
    expect(read('state/prod.json.moved')).toBe(renderState(state));
    const local = await open({}, { local: state });
    expect((await local.run('state', 'migrate', '--auto-approve')).stderr).toEqual(
      says('almanac.yaml keeps the state in almanac.state.json, so there is nothing to move.'),
    );
  });

  it.each([
    [
      'is not UTF-8',
      Buffer.from('# Gel\xf6schtes\n.env\n', 'latin1'),
      'the byte 0xF6 at line 1, column 6 is not UTF-8',
    ],
    ['holds a NUL byte', '.env\n\0', 'it has a NUL byte'],
  ])('a .gitignore that %s stays as it is, and state migrate says which line it needs', async (_, bytes, why) => {
    const { path, run, write } = await open(inGit, { local: state });
    write({ '.git/HEAD': 'ref: refs/heads/main\n', '.gitignore': bytes });
    const { code, stderr } = await run('state', 'migrate', '--auto-approve');
    expect(code).toBe(0);
    expect(stderr).toEqual(says(`.gitignore cannot be read: ${why}`));
    expect(stderr).toEqual(says('Add the line almanac.state.json.moved to it.'));
    expect(stderr).toContain('git add almanac.yaml\n');
    expect(readFileSync(join(path, '.gitignore'))).toEqual(Buffer.from(bytes));
  });

  it('what is left of another state is not overwritten, and the file stays', async () => {
    const { run, write, read, state: stateIn } = await open(inGit, { local: state });
    write({ 'almanac.state.json.moved': renderState({ ...state, lineage: 'older' }) });
    await expectRefused({ run }, 'state migrate --auto-approve', 'Move almanac.state.json.moved elsewhere');
    expect(stateIn()).toEqual(state);
    expect(read('almanac.state.json.moved')).toContain('older');
  });

  it('state migrate asks first, and changes nothing unless the answer is yes', async () => {
    const refused = await open(inGit, { local: state, answer: 'y' });
    expect((await refused.run('state', 'migrate')).code).toBe(1);
    expect(refused.asked).toEqual([
      expect.stringMatching(
        /^Move the state \(serial 7, 1 resource\) from almanac\.state\.json to git branch almanac-state of origin\? /,
      ),
    ]);
    expect(refused.state()).toEqual(state);
    expect(refused.placeNamed(gitPlace).log).toMatchObject({ entries: [], probes: 0 });

    const accepted = await open(inGit, { local: state, answer: 'yes' });
    expect((await accepted.run('state', 'migrate')).code).toBe(0);

    const alone = await open(inGit, { local: state });
    await expectRefused(alone, 'state migrate', '--auto-approve');
    expect(alone.state()).toEqual(state);
  });

  it.each<[string, Parameters<typeof open>[1], string, ((place: MemoryPlace) => unknown)?]>([
    ['a place that has another state', { shared: { [gitPlace]: { ...state, lineage: 'other' } } }, 'a different state'],
    ['a place whose state is a later one', { shared: { [gitPlace]: { ...state, serial: 9 } } }, 'serial 9'],
    ['a file that does not exist', { local: undefined }, 'There is no state to move'],
    ['a place that is unfit', {}, 'error[state-backend-unfit]', ({ log }) => Object.assign(log, { unfit: true })],
    ['a place that another run holds', {}, 'error[state-locked]', (place) => place.open().lock('apply')],
  ])('state migrate refuses %s and changes nothing', async (_, options, words, spoil = () => undefined) => {
    const { run, placeNamed, path } = await open(inGit, { local: state, ...options });
    const place = placeNamed(gitPlace);
    await spoil(place);
    const [before, holder] = [place.text(), await holderOf(place)];
    await expectRefused({ run }, 'state migrate --auto-approve', words);
    expect([place.text(), await holderOf(place)]).toEqual([before, holder]);
    expect(existsSync(join(path, 'almanac.state.json.lock'))).toBe(false);
  });
});

it('plan reads a shared state, and leaves the folder as it was', async () => {
  const log = makeMemoryLog();
  const folder = makeFolder({ 'almanac.yaml': inGit, 'schedules/all.yaml': {} });
  await (await openMachine(log.open()).store.lock('apply')).commit(state, { release: true });
  const openSharedState: Outside['openSharedState'] = async (options) =>
    openStoreOver(log.open(), { ...options, clock: makeFakeClock(), environment: {} });
  const found = () => readdirSync(folder.path, { recursive: true }).sort();
  const before = found();
  const { stdout } = await workspaceIn(folder, {}, { openSharedState }).run('plan', '--allow', 'empty');
  expect(stdout).toContain('schedules.weekly');
  expect(found()).toEqual(before);
});

it('what lies beside a workspace is not looked through for states', async () => {
  const { path, run, write, placeNamed } = await open(inGit);
  write({
    'data/state/2026/copy.state.json': '{}',
    'data/old.state.json.journal': 'old',
  });
  const seen: string[] = [];
  const names = ['readdir', 'readdirSync', 'opendir', 'opendirSync'] as const;
  const real = Object.fromEntries(names.map((name) => [name, fs[name]]));
  for (const name of names) {
    const list = fs[name] as (...given: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...given: unknown[]) => {
        seen.push(relative(path, String(given[0])));
        return list(...given);
      },
    });
  }
  syncBuiltinESMExports();
  try {
    await run('plan', '--allow', 'empty');
    await placeNamed(gitPlace).write(stateOf({}));
    await run('plan', '--allow', 'empty');
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
  expect(seen.filter((folder) => !folder.startsWith('..') && !folder.startsWith('schedules'))).toEqual([]);
  expect(seen).not.toEqual([]);
});

describe('state history and earlier states', () => {
  it('state history lists who wrote which state, the newest first, in 80 columns and as JSON', async () => {
    const { run, placeNamed } = await open(inGit, { shared: { [gitPlace]: state } });
    const place = placeNamed(gitPlace);
    await place.write({ ...state, serial: 8 }, createdAndDied({ ...state, serial: 8 }));
    const inCi = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'acme/reports',
      GITHUB_RUN_ID: '1234567890',
      GITHUB_ACTOR: 'bo',
    };
    const taken = await place.open(undefined, inCi).lock('apply');
    await taken.commit(currentState(await taken.read(), gitPlace), { release: true });

    const text = await run('state', 'history');
    expect(text).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'serial 9  2026-03-01T00:00:00.000Z, 1 resource changed',
        '          by bo on runner-7 (process 42, apply)',
        '          https://github.com/acme/reports/actions/runs/1234567890',
        '          took over the lock of ana on runner-7 (process 42, apply)',
        'serial 8  2026-03-01T00:00:00.000Z, no resource changed',
        '          by ana on runner-7 (process 42, apply)',
        'serial 7  2026-03-01T00:00:00.000Z, no resource changed',
        '          by ana on runner-7 (process 42, apply)',
        '',
      ].join('\n'),
    });
    const all = await run('state', 'history', '--format', 'json');
    const document = expectDocument<StateHistoryDocument & Record<string, unknown>>('state-history', all.stdout);
    expect(document).toMatchObject({ state: gitPlace, more: false });
    expect(document.versions.map(({ serial, changes }) => [serial, changes])).toEqual([
      [9, 1],
      [8, 0],
      [7, 0],
    ]);
    const first = await run('state', 'history', '--limit', '1');
    expect(first.stdout).toContain('--limit N shows more');
    expect(first.stdout).not.toContain('serial 8');
  });

  it('an earlier state is put back as a new one, and nothing is overwritten', async () => {
    const { run, write } = await open(inGit, { shared: { [gitPlace]: state } });
    await run('state', 'rm', 'schedules.weekly');
    expect((await run('state', 'list')).stdout).toBe('The state tracks nothing.\n');
    const pulled = await run('state', 'pull', '--serial', '7');
    write({ 'earlier.json': pulled.stdout });
    const low = await run('state', 'push', 'earlier.json');
    expect(low.code).toBe(1);
    expect(low.stderr).toEqual(says('write `"serial": 9` into it'));
    const forced = await run('state', 'push', 'earlier.json', '--force');
    expect(forced.code).toBe(1);
    expect(forced.stderr).toEqual(says('is never replaced'));
    write({ 'earlier.json': pulled.stdout.replace('"serial": 7', '"serial": 9') });
    expect(await run('state', 'push', 'earlier.json')).toMatchObject({
      code: 0,
      stdout: `${gitPlace} is now earlier.json, serial 9.\n`,
    });
    expect((await run('state', 'list')).stdout).toContain('schedules.weekly');
    const history = await run('state', 'history');
    expect(history.stdout.match(/serial \d/g)).toEqual(['serial 9', 'serial 8', 'serial 7']);
  });

  it('state push refuses the state of another lineage, and what is no state', async () => {
    const { run, write } = await open(inGit, { shared: { [gitPlace]: state } });
    write({
      'other.json': renderState({ ...state, lineage: 'other', serial: 90 }),
      'note.json': { version: 1, movedTo: 'elsewhere', lineage: state.lineage, serial: 90 },
    });
    expect((await run('state', 'push', 'other.json')).stderr).toContain('its lineage is other');
    expect((await run('state', 'push', 'note.json')).stderr).toContain('error[state-unreadable]');
  });

  it('a file keeps no earlier states, and the refusal names git', async () => {
    const { run } = await open({}, { local: state });
    for (const argv of [['history'], ['pull', '--serial', '7']]) {
      await expectRefused({ run }, ['state', ...argv], '`git log -p -- almanac.state.json`');
    }
  });
});

describe('state check', () => {
  it('state check says that a place is fit and what is there, in words and as JSON', async () => {
    const { run, placeNamed } = await open(inGit, { shared: { [gitPlace]: state } });
    expect(await run('state', 'check')).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        `${gitPlace} is fit: it can be read and written, and of`,
        'several writers one wins.',
        '  state: serial 7, 1 resource, lineage a-lineage',
        '  lock:  free',
        '',
      ].join('\n'),
    });
    await placeNamed(gitPlace).open().lock('apply');
    const { length } = placeNamed(gitPlace).log.entries;
    const { stdout } = await run('state', 'check', '--format', 'json');
    expect(expectDocument<StateCheckDocument & Record<string, unknown>>('state-check', stdout)).toEqual({
      formatVersion: 1,
      state: gitPlace,
      shared: true,
      held: { lineage: 'a-lineage', serial: 7, resources: 1 },
      lock: { held: true, by: ana, expiresIn: 120 },
    });
    expect(placeNamed(gitPlace).log.entries).toHaveLength(length);
    expect((await run('state', 'check')).stdout).toEqual(says('free in 2 minutes'));
  });

  it('state check names what a trial of the place cannot ask, in words and as JSON', async () => {
    const { run, placeNamed } = await open(inGit, { shared: { [gitPlace]: state } });
    placeNamed(gitPlace).log.unasked = 'hooks of the server';
    const { stdout } = await run('state', 'check');
    expect(stdout).toEqual(says(`${gitPlace} is fit, as far as a trial tells: it can be read and written`));
    expect(stdout).toEqual(
      says('Not asked: hooks of the server. An apply meets them before it sends anything to Omni.'),
    );
    const json = await run('state', 'check', '--format', 'json');
    expectDocument('state-check', json.stdout);
    expect(JSON.parse(json.stdout)).toMatchObject({ unasked: 'hooks of the server' });
  });

  it('state check fails on an unfit place, and works for a file', async () => {
    const unfit = await open(inGit);
    unfit.placeNamed(gitPlace).log.unfit = true;
    expect(await unfit.run('state', 'check')).toMatchObject({ code: 1, stdout: '' });
    const local = await open({}, { local: state });
    expect((await local.run('state', 'check')).stdout).toContain('almanac.state.json is a file');
  });
});

describe('state unlock of a shared place', () => {
  it('state unlock names the lease and the run in its question, and ends the lock', async () => {
    const stage = await open(inGit, { shared: { [gitPlace]: state }, answer: 'yes' });
    const inCi = { CI_JOB_URL: 'https://ci.example.com/runs/7' };
    const locked = await stage.placeNamed(gitPlace).open(undefined, inCi).lock('apply');
    const { code, stdout } = await stage.run('state', 'unlock');
    expect(code).toBe(0);
    expect(stage.asked[0]).toContain('its lease is over in 2 minutes');
    expect(stage.asked[0]).toContain('run https://ci.example.com/runs/7');
    expect(stdout).toContain('is broken.');
    expect(await holderOf(stage.placeNamed(gitPlace))).toBeUndefined();
    await expect(locked.commit({ ...state, serial: 8 })).rejects.toMatchObject({ code: 'state-lock-lost' });
  });
});
